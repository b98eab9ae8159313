/**
 * Splits the `exec` of a Kptfile into words as kpt does: single quotes, double quotes and backslashes, without variables or other shell
 * syntax. Example: `sed -e 's/a b/c/'` → `sed`, `-e`, `s/a b/c/`.
 *
 * @returns undefined  for an unclosed quote
 */
export function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = []
  const token = /\s*((?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+)\s*/y
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at
    const word = token.exec(text)?.[1]
    if (word === undefined) return /\S/.test(text.slice(at)) ? undefined : words
    words.push(
      word.replace(/\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"/g, (_, escaped, single, double) => {
        return escaped ?? single ?? String(double).replace(/\\(["\\$`\n])/g, '$1')
      }),
    )
  }
  return words
}
