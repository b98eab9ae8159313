import { isRecord, type JsonRecord } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { faultDifferences, matchFaults, type TextTable, withoutMoreOfTheSame } from '../match-faults.ts'
import type { MutationVector } from './vector.ts'

/**
 * The controller's texts, and what ours must say for each: a pattern for `RULE FILE KIND/NAME FIELD VALUE`.
 */
const TEXTS: TextTable = [
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

/** Returns the differences of our faults from those of the controller, each fault a difference of its own. */
export function compareFaults(
  errors: readonly JsonRecord[],
  { validationErrors, error }: MutationVector['expected'],
): readonly Difference[] {
  const lines = errors.map(faultLine)
  if (validationErrors?.length) return faultDifferences(matchFaults(TEXTS, validationErrors, lines))
  const unmatched = matchFaults(TEXTS, error ? textsOf(error) : [], lines)
  return faultDifferences(!error || TOLD_ALL.test(error) ? unmatched : withoutMoreOfTheSame(unmatched, lines))
}

function textsOf(error: string): readonly string[] {
  return error.replace(TOLD_ALL, '').split(/, (?=\S+: \S+\/\S+ has invalid |duplicate injection )/)
}

function recordOf(value: unknown): JsonRecord {
  const record = value as JsonRecord | undefined
  return isRecord(record) ? record : {}
}
