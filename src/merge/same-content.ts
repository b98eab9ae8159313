import { ownText } from './clone-marks.ts'
import { isBytes, type PackageContent } from './package-files.ts'

/**
 * Returns true if two files are equal except for the marks of a clone: both missing, the same bytes, or resources with the same texts
 * in the same order.
 */
export function isSameContent(a: PackageContent | undefined, b: PackageContent | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  if (isBytes(a) || isBytes(b)) return isBytes(a) && isBytes(b) && equalBytes(a, b)
  return a.length === b.length && a.every((object, at) => isSameText(ownText(object), b[at]))
}

function isSameText(text: string, object: Parameters<typeof ownText>[0] | undefined): boolean {
  return object !== undefined && text === ownText(object)
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
