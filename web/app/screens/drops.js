// A file that is dropped on the page, wherever: it goes up instead of taking the page's place.

/** `dropped(file)`. */
export function watchDrops(target, dropped) {
  const brings = ({ dataTransfer }) => dataTransfer.types.includes('Files');
  target.addEventListener('dragover', (event) => { if (brings(event)) event.preventDefault(); });
  target.addEventListener('drop', (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    dropped(event.dataTransfer.files[0]);
  });
}
