import type { Difference } from './adapter.ts'

/** Texts of a real system, each with a pattern for the lines of ours that say the same; `$1` in it stands for a group of the text. */
export type TextTable = readonly (readonly [RegExp, string])[]

/** The texts and lines that are left when each text has taken one line that says the same. */
export interface Unmatched {
  readonly texts: readonly string[]
  readonly lines: readonly string[]
}

/** Gives each text the first line that says the same by the table; a line answers one text. */
export function matchFaults(table: TextTable, texts: readonly string[], lines: readonly string[]): Unmatched {
  const left = [...lines]
  const unmet = texts.filter((text) => {
    const patterns = table.filter(([pattern]) => pattern.test(text)).map(([pattern, wanted]) => patternOf(text, pattern, wanted))
    const found = left.findIndex((line) => patterns.some((pattern) => pattern.test(line)))
    if (found !== -1) left.splice(found, 1)
    return found === -1
  })
  return { texts: unmet, lines: left }
}

/** Each fault that only one side has is a difference. */
export function faultDifferences({ texts, lines }: Unmatched): readonly Difference[] {
  return [...texts.map((text) => ({ what: 'fault', expected: text })), ...lines.map((line) => ({ what: 'fault', actual: line }))]
}

/** A fault of a real system goes without ours; at which it stops, so that ours may have more of the same rule. */
export function withoutMoreOfTheSame({ texts, lines }: Unmatched, all: readonly string[]): Unmatched {
  const met = all.filter((line) => !lines.includes(line)).map(ruleOf)
  return { texts, lines: texts.length > 0 ? lines : lines.filter((line) => !met.includes(ruleOf(line))) }
}

/** The rule that a line begins with. */
function ruleOf(line: string): string {
  return line.slice(0, line.indexOf(' '))
}

function patternOf(text: string, pattern: RegExp, wanted: string): RegExp {
  const groups = pattern.exec(text) ?? []
  return new RegExp(
    wanted.replace(/\$(\d)/g, (_, group) => literally(groups[Number(group)] ?? '')),
    's',
  )
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
