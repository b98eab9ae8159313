import { readWholePackage } from '../../package/read-whole-package.ts'
import type { WholeFolder } from '../../package/whole-folder.ts'
import type { Result } from '../../result.ts'
import type { CloneFlavour } from '../clone/flavour.ts'
import type { SourcePackage } from '../upstream/source-package.ts'

/**
 * A package of files as an upstream. What kpt does not read of it, because a `.krmignore` says so, is carried as it is; Porch does not look
 * at these files.
 */
export function packageSource(folder: WholeFolder, place: string, flavour: CloneFlavour): SourcePackage {
  const { contents, layouts, results } = readWholePackage(folder, { krmignore: flavour === 'kpt', place })
  return {
    place,
    files: contents,
    layouts,
    modes: new Map([...folder.files].map(([path, file]) => [path, file.mode])),
    results: [...results, ...folder.links.map((link) => notCarried(`${place}/${link}`))],
    faults: folder.gate?.results(place) ?? [],
  }
}

/** As kpt: a link says nothing in another place. */
function notCarried(path: string): Result {
  return { severity: 'warning', message: 'is a symbolic link and not carried', file: { path, index: 0 }, tags: { rule: 'link-left-out' } }
}
