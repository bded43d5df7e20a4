/** The longest name of a caller's that an error or a log repeats, in UTF-16 code units. */
export const maxNameLength = 120
/** The longest message of an error, in UTF-16 code units. */
export const maxMessageLength = 300

/**
 * A text cut for display: at most `max` UTF-16 code units, the last of them `…` where something was left out. No
 * surrogate pair is cut in two. The work depends on `max` alone, however long the text is.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - 1
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
