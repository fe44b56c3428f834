// Hands the finished video to the person: the system's share sheet on a phone, a download elsewhere.

import { fileName } from '../filming/format.js';
import { t } from '../words/words.js';

export async function save(file, address, notice) {
  const name = fileName(file.type);
  const shared = new File([file], name, { type: file.type.split(';')[0] });
  if (matchMedia('(pointer: coarse)').matches && navigator.canShare?.({ files: [shared] })) {
    try {
      return await navigator.share({ files: [shared] });
    } catch (error) {
      // The person changed their mind.
      if (error.name === 'AbortError') return undefined;
    }
  }
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  return notice(t('Saved as {name}.', { name }));
}
