/** One thing that is fuzzed. */
export interface FuzzTarget {
  readonly name: string
  /** The number of cases of a full run. */
  readonly count: number
  /** Runs `count` cases from a seed, fewer when too many of them fail. */
  run(count: number, seed: number): FuzzOutcome
}

export interface FuzzOutcome {
  /** The number of cases that were run: fewer than asked for where there are no more, or too many fail. */
  readonly cases: number
  readonly failures: number
  /** The failures made as small as possible, each once. */
  readonly examples: readonly string[]
  /** A further note, such as the number of cases in scope. */
  readonly note?: string
}

/** More examples say nothing new; making each small takes time. */
const MAX_EXAMPLES = 10
const MAX_FAILURES = 200

/** Runs cases until there are enough; `check` returns a minimal example of each failure it found in one case. */
export function runCases(cases: number, check: (index: number) => readonly string[]): FuzzOutcome {
  const examples = new Set<string>()
  let failures = 0
  let index = 0
  for (; index < cases && examples.size < MAX_EXAMPLES && failures < MAX_FAILURES; index++) {
    const found = check(index)
    failures += found.length
    for (const example of found) examples.add(example)
  }
  return { cases: index, failures, examples: [...examples] }
}
