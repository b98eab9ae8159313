import { compareText } from '../../src/field-path.ts'
import { isBytes, type PackageContent, type PackageFiles } from '../../src/merge/package-files.ts'
import { diffFiles } from '../print/file-diff.ts'

/**
 * Returns the differences of a package as unified diffs of its files, as git prints them. The objects of a file are printed one after
 * the other, so that lines between them are left out.
 */
export function unifiedDiff(folder: string, before: PackageFiles, after: PackageFiles): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(compareText)
  return paths.map((path) => fileDiff(`${folder}/${path}`, before.get(path), after.get(path))).join('')
}

function fileDiff(path: string, before: PackageContent | undefined, after: PackageContent | undefined): string {
  if (before === after) return ''
  const [was, is] = [bytesOf(before), bytesOf(after)]
  if (Buffer.compare(was, is) === 0 && before !== undefined && after !== undefined) return ''
  const [from, to] = [before === undefined ? '/dev/null' : `a/${path}`, after === undefined ? '/dev/null' : `b/${path}`]
  const found = diffFiles(was, is)
  return found === undefined ? `Binary files ${from} and ${to} differ\n` : `--- ${from}\n+++ ${to}\n${found.hunks}`
}

function bytesOf(content: PackageContent | undefined): Uint8Array {
  if (content === undefined) return new Uint8Array()
  return isBytes(content) ? content : Buffer.from(content.map((object) => object.toText()).join('---\n'))
}
