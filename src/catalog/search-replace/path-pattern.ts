import type { FieldPath } from '../../field-path.ts'

/**
 * Returns a matcher for field paths by the rules of `by-path`: keys with dots between them, `*` for one key, `**` for any number of keys,
 * `[0]` and `[*]` behind a key for entries of its list. A key with dots counts as several keys.
 *
 * @example `spec.**.image` matches `spec.template.spec.containers[0].image`
 */
export function pathMatcher(pattern: string): (path: FieldPath) => boolean {
  const wanted = pattern.split('.').filter((step, index, all) => step !== '**' || all[index - 1] !== '**')
  const least = wanted.filter((step) => step !== '**').length
  return (path) => {
    const steps = stepsOf(path)
    return least <= steps.length && matchesSteps(steps, wanted)
  }
}

/** Returns the keys of a path, each with the indexes behind it: `a`, `b[0]`. */
function stepsOf(path: FieldPath): readonly string[] {
  return path
    .reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`), '')
    .slice(1)
    .split('.')
}

/** Compares all keys with all parts of the pattern. `reached[i]` is true if the parts so far match the first i keys. */
function matchesSteps(steps: readonly string[], wanted: readonly string[]): boolean {
  let reached = [true, ...steps.map(() => false)]
  for (const part of wanted) {
    const next = [part === '**' && reached[0] === true]
    for (const [index, step] of steps.entries())
      next.push(part === '**' ? reached[index + 1] === true || next[index] === true : reached[index] === true && matchesStep(step, part))
    reached = next
  }
  return reached.at(-1) === true
}

function matchesStep(step: string, part: string): boolean {
  if (part === '*' || step === part) return true
  const [key, index] = step.split('[')
  const [wantedKey, wantedIndex] = part.split('[')
  if (index === undefined || wantedIndex === undefined) return false
  return (wantedKey === '*' || wantedKey === key) && (wantedIndex === '*]' || wantedIndex === index)
}

/** Returns true if a path names one field: neither `*` nor an empty key. */
export function isOneField(pattern: string): boolean {
  return pattern.split('.').every((step) => step !== '' && !step.includes('*') && !step.includes('['))
}
