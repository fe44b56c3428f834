// The head of the feed. Its buttons stand at its end, and what comes late comes before those that are there: nothing moves away from
// the finger that is about to press it.

export const addToHead = (...all) => document.querySelector('#top > button:not(#uploading, #grid-back)').before(...all);
