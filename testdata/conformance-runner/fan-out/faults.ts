import { asRecord, type JsonRecord, scalarText } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { faultDifferences, matchFaults, type TextTable, type Unmatched, withoutMoreOfTheSame } from '../match-faults.ts'
import type { FanOutVector } from './vector.ts'

const SELECTOR = 'spec\\.targets\\[\\d+\\]\\.\\w+Selector'

/** The controller's texts, and what ours must say for each: a pattern for `RULE FIELD: MESSAGE`. */
const TEXTS: TextTable = [
  [/^(\S+) is a required field$/, '^required $1: '],
  [/^either spec\.upstream\.revision or /, '^\\S+ spec\\.upstream: '],
  [/^must specify at least one item in spec\.targets/, '^\\S+ spec\\.targets: '],
  [/^(\S+) must specify one of `repositories`/, '^target-criteria $1: '],
  [/^(\S+) must not be an empty list/, '^empty $1: '],
  [/^(\S+)\.objectselector\.(\S+) cannot be empty$/, '^(?:empty|required) $1\\.objectSelector\\.$2: '],
  [/^(\S+) (?:cannot|must not) be empty$/, '^(?:empty|required) $1: '],
  [/^(\S+) can only be /, '^allowed-values $1: '],
  [/^(\S+) may specify only one of `downstream\.(\w+)` and `downstream\.(\w+)`$/, "^exclusive-fields $1\\.downstream: .*'$2' and '$3'"],
  [/^(\S+) may specify only one of `(\w+)` and `(\w+)`$/, "^exclusive-fields $1: .*'$2' and '$3'"],
  [/^(\S+) must specify either `name` or `nameExpr`$/, '^injector-name $1: '],
  [/^(\S+) must not contain '\.'$/, '^function-name $1: '],
  [
    /^could not find upstream package revision '(.*)\/[^/]*' in repo '(.*)'$/,
    "^upstream-not-found spec\\.upstream(?:\\.\\w+)?: .*'$1'.*'$2'",
  ],
  [
    /^no matches for kind "(.*)" in version "(.*)"$/,
    "^no-such-kind spec\\.targets\\[\\d+\\]\\.objectSelector\\.(?:kind|apiVersion): .*'$1'",
  ],
  [/^"(.*)" is not a valid label selector operator$/, `^allowed-values ${SELECTOR}\\.matchExpressions\\[\\d+\\]\\.operator: .*'$1'`],
  [/^values: Invalid value: /, `^label-selector ${SELECTOR}\\.matchExpressions\\[\\d+\\]\\.values: `],
  [
    /^values\[(\d+)\]\[(.*?)\]: Invalid value: "(.*?)"/,
    `^label-selector ${SELECTOR}\\.match(?:Labels\\S*$2\\S*|Expressions\\S*values\\[$1\\]): .*'$3'`,
  ],
  [/^key: Invalid value: "(.*?)"/, `^label-selector ${SELECTOR}\\.match(?:Labels|Expressions)\\S+: .*'$1'`],
  [/^repository "" could not be loaded$/, '^empty-downstream '],
  [/^repository "(.+)" could not be loaded$/, "^repository-not-found .*'$1'"],
  [/ "(.*)" already exists$/, "^name-taken .*'$1'"],
  [/^(template\.\S+): no such attribute\(s\): (repository)$/, "^expression-compile spec\\.targets\\[\\d+\\]\\.$1: .*'$2'"],
  [/^(template\.\S+): ERROR: <input>:(\d+:\d+): Syntax error: /, '^expression-compile spec\\.targets\\[\\d+\\]\\.$1: .*\\b$2: '],
  [/^(template\.\S+): ERROR: <input>:(.*?)\n/, '^expression-compile spec\\.targets\\[\\d+\\]\\.$1: .*\\b$2'],
  [/^(template\.\S+): (?!ERROR: )(.*)/s, '^expression-(?:compile|eval|convert) spec\\.targets\\[\\d+\\]\\.$1: .*$2'],
]

/** A fault in one line: `RULE FIELD: MESSAGE`. */
function faultLine({ tags, field, message }: JsonRecord): string {
  return `${scalarText(asRecord(tags).rule)} ${scalarText(asRecord(field).path)}: ${scalarText(message)}`
}

/** Returns the differences of our errors from those of the controller; our messages must hold the words of its engine. */
export function compareFaults(results: readonly JsonRecord[], expected: FanOutVector['expected']): readonly Difference[] {
  if (![...STAGES, 'ok'].includes(expected.stage)) throw new Error(`no stage is called '${expected.stage}'`)
  const lines = results.filter(({ severity }) => severity === 'error').map(faultLine)
  const unmatched = matchFaults(TEXTS, textsOf(expected), lines)
  if (expected.stage === 'ok') return faultDifferences(unmatched)
  const matched = lines.filter((line) => !unmatched.lines.includes(line))
  return faultDifferences(withoutLater(withoutMoreOfTheSame(unmatched, lines), expected, matched))
}

function textsOf({ stage, errors, renderErrors = [] }: FanOutVector['expected']): readonly string[] {
  return stage === 'render' && renderErrors.length > 0 ? [...new Set(renderErrors.map(({ error }) => error))] : errors
}

/** The stages of the controller, the first that fails ends its run, and the rules of ours by the stage in which it would find the fault. */
const STAGES = ['validation', 'upstream', 'unroll', 'render', 'ensure']
const STAGE_OF: readonly (readonly [RegExp, string])[] = [
  [/^upstream-not-found /, 'upstream'],
  [/^no-such-kind /, 'unroll'],
  [/^label-selector |^allowed-values \S+\.matchExpressions\[/, 'unroll'],
  [/^(?:expression-\w+|repository-not-found|empty-downstream) /, 'render'],
  [/^(?:target-collision|name-taken|variant-name|duplicate-variant|package-path) /, 'ensure'],
]

/** The parts of a template in the order of evaluation (seed 001). */
const PARTS = [
  /downstream\.repo/,
  /^repository /,
  /downstream\.package/,
  /labelExprs/,
  /annotationExprs/,
  /packageContext\.dataExprs/,
  /packageContext\.removeKeyExprs/,
  /injectors/,
  /pipeline\.validators/,
  /pipeline\.mutators/,
]

/** Ours has all faults; those that the controller would have come to later are no differences (docs/porch.md 23). */
function withoutLater({ texts, lines }: Unmatched, expected: FanOutVector['expected'], matched: readonly string[]): Unmatched {
  const stage = STAGES.indexOf(expected.stage)
  const first = Math.min(...textsOf(expected).map(partOf))
  const firstTarget = Math.min(...matched.map(targetOf))
  // The controller unrolls one target after the other, and renders one part of a template after the other.
  const isLater = (line: string) =>
    (expected.stage === 'unroll' && targetOf(line) > firstTarget) || (expected.stage === 'render' && partOf(line) >= first)
  return { texts, lines: lines.filter((line) => stageOf(line) < stage || (stageOf(line) === stage && !isLater(line))) }
}

/** The number of the target that a fault of ours is about. */
function targetOf(line: string): number {
  return Number(/ spec\.targets\[(\d+)\]/.exec(line)?.[1] ?? 0)
}

function stageOf(line: string): number {
  return STAGES.indexOf(STAGE_OF.find(([pattern]) => pattern.test(line))?.[1] ?? 'validation')
}

function partOf(fault: string): number {
  const place = /^(?:repository-not-found|empty-downstream) /.test(fault) ? 'repository ' : fault.replace(/: .*/s, '')
  return PARTS.findIndex((part) => part.test(place))
}
