import { judgeMerge } from '../../../scripts/fuzz/merge-judge/judge.ts'
import type { JsonRecord } from '../../../src/json.ts'
import type { Result } from '../../../src/result.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differ, differByField } from '../difference.ts'
import { lostLines } from '../mutations/kept-lines.ts'
import { asResult, faultOf, type RenderAnswer, renderTwice, textsOf, withoutMarks } from '../render-folder.ts'
import { casesOfList } from '../run-tree.ts'
import { isResourceFile, resourcesIn } from '../written-resource.ts'
import { contextsKept, isContextFile } from './contexts.ts'
import { withCommonOrder } from './keyed-view.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { lostEdits } from './lost-edits.ts'
import { identityOf, meaningOf } from './meaning.ts'
import { expectedOf, orderOf, readVector, type Texts, type UpdateVector } from './vector.ts'

/**
 * The vectors of `kpt pkg update`, beside the updates that `krm-variants render` makes: equal in meaning, with the comments that kpt loses,
 * and a warning for each edit that lost.
 */
export const PORCH_UPDATE: Adapter = {
  folder: 'porch/update',
  cases: casesOfList,
  known: KNOWN_DIFFERENCES,
  run: (vector) => compare(readVector(vector)),
}

async function compare(vector: UpdateVector): Promise<readonly Difference[]> {
  const [first, second] = await renderTwice(orderOf(vector))
  const { error } = expectedOf(vector)
  const fault = faultOf(first)
  const files = textsOf(first)
  const faults = judged(vector, first)
  if (error !== undefined || fault !== undefined)
    return error !== undefined && fault !== undefined ? faults : [{ what: 'fault', expected: error, actual: fault }, ...faults]
  const ofMerge =
    vector.strategy === 'resource-merge'
      ? [...compareLines(vector.input, files), ...compareWarnings(vector.input, files, first.results)]
      : []
  const again = differ('a second run', { ...textsOf(second) }, { ...files })
  return [...compareFiles(files, contextsKept(expectedOf(vector), vector.input.local)), ...ofMerge, ...again, ...faults]
}

/** Returns what a judge finds that knows the three sides alone: no row of known differences explains any of that. */
function judged({ strategy, input: { original, updated, local } }: UpdateVector, answer: RenderAnswer): readonly Difference[] {
  const results = answer.results.map(asResult)
  const { Kptfile: kptfile, ...others } = textsOf(answer)
  const after = { ...others, ...(kptfile !== undefined && { Kptfile: withoutMarks(kptfile, local.Kptfile ?? '') }) }
  const isRefused = faultOf(answer) !== undefined
  const mergesContexts = strategy === 'resource-merge' || strategy === 'fast-forward'
  // The package context is the variant's and not the merge's; that of a subpackage counts where the subpackage may be deleted
  // (docs/porch.md U21).
  const ignored = (local['.krmignore'] ?? '').split('\n')
  const isJudged = (path: string) =>
    !ignored.includes(path) && (isRefused || !isContextFile(path) || (mergesContexts && path.includes('/') && local[path] !== undefined))
  const [base, theirs, ours] = [only(original, isJudged), only(updated, isJudged), only(local, isJudged)]
  const faults = judgeMerge({ strategy, base, theirs, ours }, { files: only(after, isJudged), results })
  return faults.map((fault) => ({ what: `the judge: ${fault}` }))
}

function only(texts: Texts, has: (path: string) => boolean): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([path]) => has(path)))
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
      const lost = now === undefined ? [] : lostLines(withoutMark(text), withoutMark(now)).filter((line) => !isUpstreams(line))
      return lost.map((line) => ({ what: `${path}: line`, expected: line }))
    })
  })
}

/** A line that got a merge comment is still the line it was. */
function withoutMark(text: string): string {
  return text.replace(/^(metadata:)[ \t]+# kpt-merge: .*$/m, '$1')
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
  const resources = isResourceFile(path) ? (resourcesIn(path, text) ?? []) : []
  return resources.map((resource) => [identityOf(resource), resource.text])
}

/** An edit that is gone is told of: with its value, at its field or one above. */
function compareWarnings(input: UpdateVector['input'], files: Texts, results: readonly JsonRecord[]): readonly Difference[] {
  const told = results.map(asResult).filter(({ tags }) => tags.rule === 'edit-lost')
  return lostEdits(input, files).flatMap(({ path, field, value }) => {
    const isTold = told.some((result) => result.file?.path === path && stepsOf(result).every((step) => field.includes(step)))
    return isTold ? [] : [{ what: `${path}: warning for ${field.join('.')}`, expected: value }]
  })
}

/** The map keys on the way to the field of a result. */
function stepsOf({ field }: Result): readonly string[] {
  return (field?.path ?? []).filter((step) => typeof step === 'string')
}
