import { judgeMerge } from '../../../scripts/fuzz/merge-judge/judge.ts'
import { equalJson } from '../../../src/json.ts'
import { mergePackages } from '../../../src/merge/merge-packages.ts'
import type { MergedPackage } from '../../../src/merge/merged-package.ts'
import { objectsIn } from '../../../src/merge/package-files.ts'
import { formatResult, hasErrors, type Result } from '../../../src/result.ts'
import { packageOfTexts, textsOf } from '../../package-of-texts.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differByField } from '../difference.ts'
import { lostLines } from '../mutations/kept-lines.ts'
import { casesOfList } from '../run-tree.ts'
import { withCommonOrder } from './keyed-view.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { lostEdits } from './lost-edits.ts'
import { meaningOf } from './meaning.ts'
import { expectedOf, readVector, type Texts, type UpdateVector } from './vector.ts'

/** The vectors of `kpt pkg update`: equal in meaning, with the comments that kpt loses, and a warning for each edit that lost. */
export const PORCH_UPDATE: Adapter = {
  folder: 'porch/update',
  cases: casesOfList,
  known: KNOWN_DIFFERENCES,
  run: (vector) => compare(readVector(vector)),
}

function compare(vector: UpdateVector): readonly Difference[] {
  return [...compareAnswers(vector), ...judged(vector)]
}

/** What a judge finds that knows the three sides alone: no row of known differences explains any of that. */
function judged({ strategy, input: { original, updated, local } }: UpdateVector): readonly Difference[] {
  const { files, results } = mergePackages({
    base: packageOfTexts(original),
    theirs: packageOfTexts(updated),
    ours: packageOfTexts(local),
    strategy,
  })
  const faults = judgeMerge({ strategy, base: original, theirs: updated, ours: local }, { files: textsOf(files), results })
  return faults.map((fault) => ({ what: `the judge: ${fault}` }))
}

function compareAnswers(vector: UpdateVector): readonly Difference[] {
  const merged = merge(vector)
  const { error } = expectedOf(vector)
  const fault = hasErrors(merged.results) ? merged.results.map(formatResult).join('\n') : undefined
  if (error !== undefined || fault !== undefined)
    return error !== undefined && fault !== undefined ? [] : [{ what: 'fault', expected: error, actual: fault }]
  const files = textsOf(merged.files)
  const ofMerge =
    vector.strategy === 'resource-merge'
      ? [...compareLines(vector.input, files), ...compareWarnings(vector.input, files, merged.results)]
      : []
  return [...compareFiles(files, expectedOf(vector)), ...ofMerge, ...compareSecondRun(vector, files)]
}

function merge({ strategy, input: { original, updated, local } }: UpdateVector): MergedPackage {
  return mergePackages({
    base: packageOfTexts(original),
    theirs: packageOfTexts(updated),
    ours: packageOfTexts(local),
    strategy,
  })
}

function compareFiles(ours: Texts, theirs: Texts): readonly Difference[] {
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort().flatMap((path) => {
    const [a, b] = withCommonOrder(meaningOf(path, ours[path]), meaningOf(path, theirs[path]))
    return differByField(path, a, b)
  })
}

/** Every comment of the downstream, and every line that need not change, is still there, but for what upstream changed in the original. */
function compareLines({ original, updated, local }: UpdateVector['input'], after: Texts): readonly Difference[] {
  return Object.keys(local).flatMap((path) => {
    const kept = documentsOf(path, after[path] ?? '')
    const isGone = (line: string, has: typeof holds) => has(original[path], line) && !has(updated[path], line)
    const isUpstreams = (line: string) => isGone(line, holds) || isGone(line, holdsAnywhere)
    return documentsOf(path, local[path] ?? '').flatMap(([identity, text]) => {
      const now = kept.find(([other]) => other === identity)?.[1]
      const lost = now === undefined ? [] : lostLines(text, now).filter((line) => !isUpstreams(line))
      return lost.map((line) => ({ what: `${path}: line`, expected: line }))
    })
  })
}

/** A line, however far it is indented. */
function holdsAnywhere(text: string | undefined, line: string): boolean {
  return text?.split('\n').some((other) => other.trim() === line.trim()) === true
}

/** A line, or a comment at the end of one. */
function holds(text: string | undefined, line: string): boolean {
  return text?.split('\n').some((other) => other === line || (line.startsWith('#') && other.endsWith(line))) === true
}

function documentsOf(path: string, text: string): readonly (readonly [identity: string, text: string])[] {
  const objects = objectsIn(packageOfTexts({ [path]: text }).get(path))
  return objects.map((object) => [JSON.stringify(object.ref), object.toText()])
}

/** An edit that is gone is told of: with its value, at its field or one above. */
function compareWarnings(input: UpdateVector['input'], files: Texts, results: readonly Result[]): readonly Difference[] {
  const told = results.filter(({ tags }) => tags.rule === 'edit-lost')
  return lostEdits(input, files).flatMap(({ path, field, value }) => {
    const isTold = told.some((result) => result.file?.path === path && stepsOf(result).every((step) => field.includes(step)))
    return isTold ? [] : [{ what: `${path}: warning for ${field.join('.')}`, expected: value }]
  })
}

/** The map keys on the way to the field of a result. */
function stepsOf({ field }: Result): readonly string[] {
  return (field?.path ?? []).filter((step) => typeof step === 'string')
}

/** Once more with what is upstream now: nothing changes. */
function compareSecondRun({ strategy, input }: UpdateVector, files: Texts): readonly Difference[] {
  if (strategy === 'fast-forward') return []
  const again = textsOf(merge({ strategy, input: { ...input, original: input.updated, local: files }, expected: {} }).files)
  return equalJson({ ...again }, { ...files }) ? [] : [{ what: 'a second update', expected: { ...files }, actual: { ...again } }]
}
