import { isRecord, type JsonRecord } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import type { MutationVector } from './vector.ts'

/**
 * The controller's texts, and what ours must say for each: a pattern for `RULE FILE KIND/NAME FIELD VALUE`. `$1` stands for the
 * first group of the text.
 */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^missing required field (\S+)$/, '^required .* $1 '],
  [/^(\S+): Invalid value: .*: must not contain the key /s, '^reserved-context-key .* $1 '],
  [/^(spec\S+)(?: field)? can only be /, '^allowed-values .* $1 '],
  [/^(spec\S+) must not be empty$/, '^empty .* $1 '],
  [/^"package-context\.yaml" (?:not found|does not contain) /, '^context-missing .* spec\\.packageContext'],
  [/PackageContext no data field found$/, '^context-data package-context\\.yaml .* data nothing$'],
  [/PackageContext invalid data field: .* in fieldpath \.data$/s, '^context-data package-context\\.yaml .* data (?!nothing)'],
  [/PackageContext invalid data field: yaml: unmarshal errors:\s+line \d+: cannot unmarshal !!map /, '^context-data .* data\\.\\S+ \\{'],
  [/PackageContext invalid data field: yaml: unmarshal errors:\s+line \d+: cannot unmarshal !!seq /, '^context-data .* data\\.\\S+ \\['],
  [/PackageContext invalid data field: .*mapping key "(.*?)" already defined/s, '^duplicate-key .* data\\.$1 '],
  [/^"Kptfile" not found /, '^kptfile-missing '],
  [/^"Kptfile" does not contain kind /, '^kptfile Kptfile \\S+ kind '],
  [/^failed to parse "Kptfile" .*expected exactly one object/, '^kptfile-documents Kptfile '],
  [/kind=Kptfile\) has unmatched field type .* in fieldpath \.(\S+)$/, '^kptfile Kptfile \\S+ $1 '],
  [/^could not retrieve field (\S+): .* unmatched field type/, '^kptfile Kptfile \\S+ \\S+\\.$1 '],
  [/^(?:unhandled node kind \d+$|.*(?:unable to convert|cannot unmarshal))/s, '^kptfile Kptfile '],
  [
    /^(\S+): (\S+) has invalid "kpt\.dev\/config-injection" annotation value of "(.*)"$/,
    '^injection-annotation $1 $2 \\S+config-injection\\S+ "?$3"?$',
  ],
  [/duplicate injection conditionType "config\.injection\.(.*?)\.(.*)" /, '^injection-ambiguous \\S+ $1/$2 '],
]

/** Errors after which the controller goes on: it tells all of them. */
const TOLD_ALL = /^errors in injection points: /

/** A fault of ours in one line: `RULE FILE KIND/NAME FIELD VALUE`; what it has none of is "-", a value that is not there is "nothing". */
function faultLine({ tags, file, resourceRef, field }: JsonRecord): string {
  const [ref, place] = [recordOf(resourceRef), recordOf(field)]
  const value = place.currentValue === undefined ? 'nothing' : JSON.stringify(place.currentValue)
  const object = ref.kind === undefined ? '-' : `${ref.kind}/${ref.name}`
  return [recordOf(tags).rule, recordOf(file).path ?? '-', object, place.path ?? '-', value].join(' ')
}

/** How our faults differ from those that the controller tells, each fault a difference of its own. */
export function compareFaults(
  errors: readonly JsonRecord[],
  { validationErrors, error }: MutationVector['expected'],
): readonly Difference[] {
  const texts = validationErrors?.length ? validationErrors : error ? textsOf(error) : []
  const lines = errors.map(faultLine)
  const { unmet, left } = match(texts, lines)
  // At any other error the controller stops: there may be more of the kind that it stopped at.
  const stops = !validationErrors?.length && error && !TOLD_ALL.test(error) && unmet.length === 0
  const met = lines.filter((line) => !left.includes(line)).map(ruleOf)
  const beyond = left.filter((line) => !(stops && met.includes(ruleOf(line))))
  return [...unmet.map((text) => ({ what: 'fault', expected: text })), ...beyond.map((line) => ({ what: 'fault', actual: line }))]
}

/** Each text takes one line that says the same; what is left on both sides. */
function match(texts: readonly string[], lines: readonly string[]): { unmet: readonly string[]; left: readonly string[] } {
  const left = [...lines]
  const unmet = texts.filter((text) => {
    const patterns = TEXTS.filter(([pattern]) => pattern.test(text)).map(([pattern, wanted]) => patternOf(text, pattern, wanted))
    const found = left.findIndex((line) => patterns.some((pattern) => pattern.test(line)))
    if (found !== -1) left.splice(found, 1)
    return found === -1
  })
  return { unmet, left }
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

function textsOf(error: string): readonly string[] {
  return error.replace(TOLD_ALL, '').split(/, (?=\S+: \S+\/\S+ has invalid |duplicate injection )/)
}

function ruleOf(line: string): string {
  return line.slice(0, line.indexOf(' '))
}

function recordOf(value: unknown): JsonRecord {
  const record = value as JsonRecord | undefined
  return isRecord(record) ? record : {}
}
