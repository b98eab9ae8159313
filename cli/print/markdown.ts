/** A code span. */
export function code(text: string): string {
  const fence = '`'.repeat(longestFence(text) + 1)
  return fence.length === 1 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

/** A block of whole lines in a language, such as `diff`. */
export function fencedBlock(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestFence(text) + 1))
  return `${fence}${language}\n${text}${fence}\n`
}

/** A fence must be longer than any run of back-quotes inside. */
function longestFence(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}

/** A text that means itself. */
export function escapeText(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|]/g, '\\$&')
}
