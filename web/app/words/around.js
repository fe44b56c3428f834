// Sentences with an element in them: a name that is set apart, a time, a link.

/** Given to `t` as the value that is to be an element. */
export const MARK = '\uFFFC';

/** The sentence in pieces, the element where the mark stands. */
export const around = (sentence, element) => sentence.split(MARK).flatMap((text, index) => (index ? [element, text] : [text]));
