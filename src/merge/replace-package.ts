import { compareText } from '../field-path.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { untouched } from './merge-file.ts'
import { mergeKptfile } from './merge-kptfile.ts'
import type { MergeOutcome } from './merge-outcome.ts'
import { outcomeResults } from './merge-results.ts'
import { type MergedFile, wholeOutcome } from './merged-file.ts'
import type { MergedPackage, MergeRequest } from './merged-package.ts'
import { isBytes, keptContent, objectsIn, type PackageContent, type Packages } from './package-files.ts'
import { isSameContent } from './same-content.ts'
import type { ThreeWay } from './three-way.ts'

/**
 * Everything as upstream has it, but for the Kptfile of the package itself, which is merged (kpt pkg/lib/update/replace.go). Every other change
 * of the downstream is gone, with the files that only it has.
 */
export function replacePackage(request: MergeRequest): MergedPackage {
  return replaceFiles(request, () => false)
}

/**
 * As `replacePackage`, but the files stay that only the downstream has (kpt pkg/lib/update/copy-merge.go). kpt refuses to remove a subpackage
 * to which the downstream added something; here what it added stays.
 */
export function copyMerge(request: MergeRequest): MergedPackage {
  return replaceFiles(request, (path) => !request.original.has(path))
}

/** Upstream's files, the merged Kptfile, and of those that upstream does not have the ones that stay. */
function replaceFiles(packages: Packages & Pick<MergeRequest, 'place'>, stays: (path: string) => boolean): MergedPackage {
  const { original, upstream, downstream } = packages
  const paths = [...new Set([...downstream.keys(), ...upstream.keys()])].sort(compareText)
  const merged = paths.map((path) => {
    const sides = { original: original.get(path), upstream: upstream.get(path), downstream: downstream.get(path) }
    const kptfile = path === KPTFILE ? objectsIn(sides.downstream)[0] : undefined
    if (kptfile === undefined) return stays(path) ? stayingFile(path, sides) : replaceFile(path, sides)
    return mergeKptfile(path, { original: objectsIn(sides.original)[0], upstream: objectsIn(sides.upstream)[0] }, kptfile)
  })
  const outcomes = merged.flatMap((file) => file.outcomes)
  return {
    files: new Map(merged.flatMap(({ path, content }) => (content === undefined ? [] : [[path, content] as const]))),
    outcomes,
    results: [...merged.flatMap(({ results }) => results), ...outcomeResults(outcomes, packages)],
  }
}

/** A file that only the downstream has is its own. */
function stayingFile(path: string, sides: ThreeWay<PackageContent>): MergedFile {
  return sides.upstream === undefined ? untouched(path, sides.downstream) : replaceFile(path, sides)
}

function replaceFile(path: string, sides: ThreeWay<PackageContent>): MergedFile {
  const { original, upstream, downstream } = sides
  const outcomes = isSameContent(upstream, downstream) ? [] : [told(path, sides, isSameContent(original, downstream) ? 'taken' : 'lost')]
  return { path, content: upstream && keptContent(upstream, 'upstream'), outcomes, results: [] }
}

function told(path: string, { upstream, downstream }: ThreeWay<PackageContent>, result: MergeOutcome['result']): MergeOutcome {
  const side = (content: PackageContent | undefined) => ({ object: oneObject(content), exists: content !== undefined })
  return wholeOutcome({ result, contested: result === 'lost', path }, side(downstream), side(upstream))
}

/** The resource that a file is about, if it is about one. */
function oneObject(content: PackageContent | undefined) {
  const [object, ...others] = content === undefined || isBytes(content) ? [] : content
  return others.length === 0 ? object : undefined
}
