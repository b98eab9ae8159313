import { diskTree } from '../../src/folder/file-tree.ts'
import { findLeftOutFiles } from '../../src/folder/find-package-files.ts'
import type { Result } from '../../src/result.ts'
import { nameFirst } from '../../src/wording.ts'
import type { Host } from '../host.ts'
import { placeFile } from '../print/print-results.ts'

const NAMED_FILES = 3
const SET = /^[ \t-]*["']?kind["']?[ \t]*:[ \t]*["']?PackageVariant(?:Set|Matrix)\b/m

/**
 * Returns the results with a missing set as an error, for commands that ask what the sets do. The message names a set in a file that is not
 * read, if one exists.
 */
export function refuseNoSet(results: readonly Result[], dir: string, host: Host): readonly Result[] {
  return results.map((result) =>
    result.tags.rule === 'no-set' ? { ...result, severity: 'error', message: `${result.message}${describeLeftOut(dir, host)}` } : result,
  )
}

function describeLeftOut(dir: string, host: Host): string {
  const files = dir === '-' ? [] : leftOutSets(host.locate(dir)).map((path) => placeFile(path, dir))
  return files.length === 0 ? '' : `; .krmignore leaves out ${nameFirst(files, NAMED_FILES)}, where there is one`
}

function leftOutSets(folder: string): readonly string[] {
  const tree = diskTree(folder)
  return findLeftOutFiles(tree).filter((path) => SET.test(Buffer.from(tree.read(path)).toString('utf8')))
}
