/**
 * Follows the text of a JSON object as it arrives, each character once, and tells whether the object is closed, or the
 * string in which it was encoded once more. It trusts brackets and strings; what it takes for whole may still be no JSON.
 */
export function createObjectScan(): { push: (text: string) => void; isClosed: () => boolean } {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let closed = false;
  return {
    push(text) {
      for (let at = 0; at < text.length; at++) {
        const character = text[at];
        if (escaped) escaped = false;
        else if (character === '\\') escaped = inString;
        else if (character === '"') {
          inString = !inString;
          closed ||= !inString && depth === 0;
        } else if (inString) continue;
        else if (character === '{' || character === '[') depth += 1;
        else if (character === '}' || character === ']') closed ||= --depth === 0;
      }
    },
    isClosed: () => closed,
  };
}
