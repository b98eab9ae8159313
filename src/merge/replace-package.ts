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
 * Returns upstream's files, with the merged Kptfile of the package itself (kpt pkg/lib/update/replace.go). All other changes of the
 * downstream are lost, and so are the files that only the downstream has.
 */
export function replacePackage(request: MergeRequest): MergedPackage {
  return replaceFiles(request, () => false)
}

/**
 * Returns the result of `replacePackage`, with the files that only the downstream has (kpt pkg/lib/update/copy-merge.go). kpt refuses
 * to remove a subpackage to which the downstream added a file; here the added file stays.
 */
export function copyMerge(request: MergeRequest): MergedPackage {
  return replaceFiles(request, (path) => !request.base.has(path))
}

/** Returns upstream's files and the merged Kptfile; a file without a counterpart in upstream stays if `stays` returns true. */
function replaceFiles(packages: Packages & Pick<MergeRequest, 'place'>, stays: (path: string) => boolean): MergedPackage {
  const { base, theirs, ours } = packages
  const paths = [...new Set([...ours.keys(), ...theirs.keys()])].sort(compareText)
  const merged = paths.map((path) => {
    const sides = { base: base.get(path), theirs: theirs.get(path), ours: ours.get(path) }
    const kptfile = path === KPTFILE ? objectsIn(sides.ours)[0] : undefined
    if (kptfile === undefined) return stays(path) ? stayingFile(path, sides) : replaceFile(path, sides)
    return mergeKptfile(path, { base: objectsIn(sides.base)[0], theirs: objectsIn(sides.theirs)[0] }, kptfile)
  })
  const outcomes = merged.flatMap((file) => file.outcomes)
  return {
    files: new Map(merged.flatMap(({ path, content }) => (content === undefined ? [] : [[path, content] as const]))),
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
  const outcomes = isSameContent(theirs, ours) ? [] : [told(path, sides, isSameContent(base, ours) ? 'taken' : 'lost')]
  return { path, content: theirs && keptContent(theirs, 'theirs'), outcomes, results: [] }
}

function told(path: string, { theirs, ours }: ThreeWay<PackageContent>, result: MergeOutcome['result']): MergeOutcome {
  const side = (content: PackageContent | undefined) => ({ object: oneObject(content), exists: content !== undefined })
  return wholeOutcome({ result, contested: result === 'lost', path }, side(ours), side(theirs))
}

/** Returns the resource of a file with exactly one resource. */
function oneObject(content: PackageContent | undefined) {
  const [object, ...others] = content === undefined || isBytes(content) ? [] : content
  return others.length === 0 ? object : undefined
}
