import { compareText } from '../field-path.ts'
import { definedEntries } from '../group-by.ts'
import { folderOf, joinPath, KPTFILE } from '../resource-list/package-of.ts'
import { hasErrors, type Result } from '../result.ts'
import { quoteNames } from '../schema/describe-value.ts'
import { editedFiles, isContextFile } from './edited-files.ts'
import { mergeFile, untouched } from './merge-file.ts'
import { mergeKptfile } from './merge-kptfile.ts'
import { outcomeResults } from './merge-results.ts'
import {
  type MergedFile,
  type MergedPackage,
  type MergeOutcome,
  type MergeRequest,
  type MergeStrategy,
  wholeOutcome,
} from './merged-package.ts'
import { afterUpstreamMoves } from './moved-resources.ts'
import { keptContent, type MergedContent, objectsIn, type PackageContent, type PackageFiles, type ThreeWay } from './package-files.ts'
import { withoutRendering } from './rendering.ts'
import { isSameContent } from './same-content.ts'
import { fateAbove, settledFile, subpackageFates } from './subpackages.ts'

/**
 * Merges a new upstream revision into a downstream package, as `kpt pkg update` does. The given packages are not changed: a changed
 * object is a draft. The marks of a clone (merge comments, `upstream`, `upstreamLock`, the Kptfile's name) are left to the caller. An
 * existing merge comment identifies its resource, as in kpt.
 *
 * Faults of the user are errors in the results: a type change, an alias, two resources of one identity, a local change that forbids
 * fast-forward.
 */
export function mergePackages(request: MergeRequest): MergedPackage {
  const merged = STRATEGIES[request.strategy](request)
  if (!hasErrors(merged.results)) return merged
  return { files: allUntouched(request.ours), outcomes: [], results: merged.results.filter(({ severity }) => severity === 'error') }
}

const STRATEGIES: Readonly<Record<MergeStrategy, (request: MergeRequest) => MergedPackage>> = {
  'resource-merge': resourceMerge,
  'fast-forward': fastForward,
  'force-delete-replace': replacePackage,
  'copy-merge': copyMerge,
}

function allUntouched(ours: PackageFiles): ReadonlyMap<string, MergedContent> {
  return new Map([...ours].map(([path, content]) => [path, keptContent(content, 'ours')]))
}

/**
 * Returns upstream's files if the downstream changed none (kpt pkg/lib/update/fastforward.go). Content that a clone writes is no
 * change, and stays: in kpt, a clone for deployment can never be fast-forwarded, because of its package context.
 */
function fastForward(request: MergeRequest): MergedPackage {
  const { base, theirs, ours } = request
  const changed = editedFiles(base, ours)
  if (changed.length > 0) return { files: new Map(), outcomes: [], results: [refusal(changed)] }
  const contexts = [...ours.keys()].filter(isContextFile)
  const others = (files: PackageFiles) => new Map([...files].filter(([path]) => !contexts.includes(path)))
  const replaced = replacePackage({ ...request, base: others(base), theirs: others(theirs), ours: others(ours) })
  const files = new Map(replaced.files)
  const kptfile = files.get(KPTFILE)
  if (kptfile !== undefined) files.set(KPTFILE, withoutRendering(kptfile))
  for (const path of contexts) {
    const sides = { base: base.get(path), theirs: theirs.get(path), ours: ours.get(path) }
    const { content } = mergeFile(path, sides, request.upstream)
    if (content !== undefined && files.has(joinPath(folderOf(path), KPTFILE))) files.set(path, content)
  }
  return { ...replaced, files }
}

function refusal(paths: readonly string[]): Result {
  return {
    severity: 'error',
    message: `\`strategy\` must not be 'fast-forward' for a package that was changed since it was cloned, found changes in ${quoteNames(paths)}`,
    tags: { rule: 'local-changes' },
  }
}

/** Merges the edits of both sides, field by field (kpt pkg/lib/update/resource-merge.go). */
function resourceMerge(request: MergeRequest): MergedPackage {
  const fates = subpackageFates(request)
  const { base, theirs, ours } = afterUpstreamMoves(request)
  const paths = [...new Set([...ours.keys(), ...base.keys(), ...theirs.keys()])].sort(compareText)
  const merged = paths.map((path) => {
    const sides = { base: base.get(path), theirs: theirs.get(path), ours: ours.get(path) }
    return settledFile(path, sides, fateAbove(fates, path)) ?? mergeFile(path, sides, request.upstream)
  })
  const merges = [...fates.values(), ...merged]
  const outcomes = merges.flatMap((each) => each.outcomes)
  return {
    files: definedEntries(merged.map(({ path, content }) => [path, content])),
    outcomes,
    results: [...merges.flatMap((each) => each.results), ...outcomeResults(outcomes, request)],
  }
}

/**
 * Returns upstream's files, with the merged Kptfile of the package itself (kpt pkg/lib/update/replace.go). All other changes of the
 * downstream are lost, and so are the files that only the downstream has.
 */
function replacePackage(request: MergeRequest): MergedPackage {
  return replaceFiles(request, () => false)
}

/**
 * Returns the result of `replacePackage`, with the files that only the downstream has (kpt pkg/lib/update/copy-merge.go). kpt refuses
 * to remove a subpackage to which the downstream added a file; here the added file stays.
 */
function copyMerge(request: MergeRequest): MergedPackage {
  return replaceFiles(request, (path) => !request.base.has(path))
}

/** Returns upstream's files and the merged Kptfile; a file without a counterpart in upstream stays if `stays` returns true. */
function replaceFiles(packages: MergeRequest, stays: (path: string) => boolean): MergedPackage {
  const { base, theirs, ours } = packages
  const paths = [...new Set([...ours.keys(), ...theirs.keys()])].sort(compareText)
  const merged = paths.map((path) => {
    const sides = { base: base.get(path), theirs: theirs.get(path), ours: ours.get(path) }
    const kptfile = path === KPTFILE ? objectsIn(sides.ours)[0] : undefined
    if (kptfile === undefined) return stays(path) ? stayingFile(path, sides) : replaceFile(path, sides)
    return mergeKptfile(path, { base: objectsIn(sides.base)[0], theirs: objectsIn(sides.theirs)[0], ours: kptfile }, packages.upstream)
  })
  const outcomes = merged.flatMap((file) => file.outcomes)
  return {
    files: definedEntries(merged.map(({ path, content }) => [path, content])),
    outcomes,
    results: [...merged.flatMap(({ results }) => results), ...outcomeResults(outcomes, packages)],
  }
}

/** Returns a file that base lacks: the downstream's if upstream lacks it too, else upstream's. */
function stayingFile(path: string, sides: ThreeWay<PackageContent>): MergedFile {
  return sides.theirs === undefined ? untouched(path, sides.ours) : replaceFile(path, sides)
}

function replaceFile(path: string, sides: ThreeWay<PackageContent>): MergedFile {
  const { base, theirs, ours } = sides
  const outcomes = isSameContent(theirs, ours) ? [] : [replacedOutcome(path, sides, isSameContent(base, ours) ? 'taken' : 'lost')]
  return { path, content: theirs && keptContent(theirs, 'theirs'), outcomes, results: [] }
}

function replacedOutcome(path: string, { theirs, ours }: ThreeWay<PackageContent>, result: MergeOutcome['result']): MergeOutcome {
  const side = (content: PackageContent | undefined) => ({ object: oneObject(content), exists: content !== undefined })
  return wholeOutcome({ result, contested: result === 'lost', path }, side(ours), side(theirs))
}

/** Returns the resource of a file with exactly one resource. */
function oneObject(content: PackageContent | undefined) {
  const [object, ...others] = objectsIn(content)
  return others.length === 0 ? object : undefined
}
