/**
 * Returns a text of at most `most` characters. The middle of a longer text is left out, since names and paths differ most at their ends:
 * `spec.template.spec.containers[till].resources.limits.memory` → `spec.template.spec…sources.limits.memory`.
 */
export function shortMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const begin = Math.ceil((most - 1) / 2)
  return `${text.slice(0, begin)}…${text.slice(text.length - (most - 1 - begin))}`
}

/**
 * Returns the label of a box in lines of at most `most` characters, broken after blanks, slashes and hyphens. A part that is longer than a
 * line loses its middle: no line breaks inside a word.
 */
export function labelLines(label: string, most: number): string {
  const lines: string[] = []
  for (const part of label.split(/(?<=[ /-])/)) {
    const last = lines.at(-1)
    if (last !== undefined && (last + part).trimEnd().length <= most) lines[lines.length - 1] = last + part
    else lines.push(shortMiddle(part, most))
  }
  return lines.map((line) => line.trimEnd()).join('\n')
}
