import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { FileChange } from '../../folder/file-changes.ts'
import { resourcesOfBytes } from '../../folder/read-whole-package.ts'
import { equalJson, isRecord, type JsonValue, lookup } from '../../json.ts'
import type { Calls } from '../../pipeline/calls.ts'
import type { Runners } from '../../pipeline/match.ts'
import type { PipelineStep } from '../../pipeline/pipeline-steps.ts'
import { type ReadPackage, runPackage } from '../../pipeline/run-packages.ts'
import { fieldPlace } from '../../resource-list/finding-place.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { watchedRunners } from './watched-runners.ts'

/**
 * Runs the functions of a package on what they wrote. Returns a warning with a function and a field, if the second run changes something:
 * then each render changes the package, and people's edits cannot be distinguished from what functions write.
 *
 * @param read    the package after its functions ran
 * @param before  returns the bytes of a file of that package
 */
export function* secondRunWarnings(read: ReadPackage, runners: Runners, before: (path: string) => Uint8Array): Calls<readonly Result[]> {
  let last: PipelineStep | undefined
  const watched = watchedRunners(read, runners, textOf, (step, before, after) => {
    if (before !== after) last = step
  })
  const { changes, failed } = yield* runPackage(read, watched)
  const [change] = changes
  if (failed || change === undefined || last === undefined) return []
  return [warning(last, change, before(change.path))]
}

function textOf(items: readonly KrmObject[]): string {
  return items.map((item) => item.toText()).join('')
}

function warning(step: PipelineStep, { path, op, text }: FileChange, before: Uint8Array): Result {
  const field = op === 'update' ? difference(resourcesIn(path, before), resourcesIn(path, Buffer.from(text)))?.slice(1) : undefined
  const what = field === undefined || field.length === 0 ? '' : `\`${formatFieldPath(field)}\` of `
  const message = `\`${formatFieldPath(step.field)}\` must change nothing in a second run on its own output, changes ${what}${quoteText(path)} again: every render will change the package`
  return { severity: 'warning', message, ...fieldPlace(step.kptfile, step.field), tags: { rule: 'pipeline-not-idempotent' } }
}

/** Returns the resources of a file as one value. */
function resourcesIn(path: string, bytes: Uint8Array): JsonValue {
  return resourcesOfBytes(path, bytes).map((object) => object.toJson())
}

function difference(a: JsonValue, b: JsonValue): FieldPath | undefined {
  if (equalJson(a, b)) return undefined
  if (isRecord(a) && isRecord(b)) {
    const key = [...new Set([...Object.keys(a), ...Object.keys(b)])].find((each) => !equalJson(lookup(a, each), lookup(b, each)))
    return key === undefined ? [] : [key, ...(difference(lookup(a, key) ?? null, lookup(b, key) ?? null) ?? [])]
  }
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return []
  const at = a.findIndex((value, index) => !equalJson(value, b[index]))
  return [at, ...(difference(a[at] ?? null, b[at] ?? null) ?? [])]
}
