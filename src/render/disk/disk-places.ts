import { Links } from '../../package/links.ts'
import { below, type NamedFolder } from '../../package/named-folder.ts'
import { unreadableDocument } from '../../package/read-package.ts'
import { holdsAnything, scanPackages } from '../../package/scan-packages.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { WireError } from '../../resource-list/wire-error.ts'
import type { Result } from '../../result.ts'
import { VARIANT_ANNOTATION } from '../../well-known.ts'
import type { FleetVariant } from '../fleet-variants.ts'
import type { DownstreamPlace, DownstreamPlaces } from '../lifecycle/package-steps.ts'
import { type OwnerAnnotation, readOwnerAnnotation } from '../owner-annotation.ts'

/** Where downstream packages are on disk: `REPO/PACKAGE` below a folder. */
export interface DiskPlaces extends DownstreamPlaces {
  /** What interrupted runs left, by path. */
  readonly leftovers: readonly string[]
}

/**
 * Looks for the packages below a folder.
 *
 * @param read  gives the text of a file below it
 */
export function diskPlaces(root: NamedFolder, read: (path: string) => string): DiskPlaces {
  const packages = new Map<string, OwnerAnnotation | undefined>()
  const faults: Result[] = []
  const leftovers = scanPackages(root.disk, (folder, text) => {
    const { mark, fault } = readingMark(text, below(root, `${folder}/${KPTFILE}`).shown)
    packages.set(folder, mark)
    if (fault !== undefined) faults.push(fault)
    return mark === undefined && fault === undefined
  })
  const links = new Links(root.disk)
  const placeAt = (folder: string, isPackage: boolean, mark?: OwnerAnnotation): DownstreamPlace => ({
    folder,
    repo: repositoryOf(folder),
    isPackage,
    mark,
    kptfile: () => (isPackage ? kptfileObject(read(`${folder}/${KPTFILE}`), below(root, `${folder}/${KPTFILE}`).shown) : undefined),
  })
  return {
    at: (folder) => {
      const mark = packages.get(folder)
      if (packages.has(folder)) return placeAt(folder, mark !== undefined || holdsObject(read(`${folder}/${KPTFILE}`)), mark)
      return holdsAnything(root.disk, folder) ? placeAt(folder, false) : undefined
    },
    marked: [...packages].flatMap(([folder, mark]) => (mark === undefined ? [] : [placeAt(folder, true, mark)])),
    faults,
    isShared: true,
    linkAbove: (folder) => {
      const link = links.above(folder)
      return link && below(root, link).shown
    },
    folderOf: ({ downstream }: FleetVariant) => `${downstream.repo}/${downstream.package}`,
    leftovers,
  }
}

/** The repository that a folder or file below the packages is of. */
export function repositoryOf(path: string): string {
  return path.split('/', 1)[0] ?? ''
}

/** The mark in the text of a Kptfile, or why it cannot be told; most of those without one need not be read. */
function readingMark(text: string, path: string): { readonly mark?: OwnerAnnotation | undefined; readonly fault?: Result } {
  if (!text.includes(VARIANT_ANNOTATION)) return {}
  try {
    return { mark: readOwnerAnnotation(kptfileObject(text, path)) }
  } catch (error) {
    if (error instanceof WireError) return { fault: unreadableDocument(path, error) }
    throw error
  }
}

/** Whether the text of a Kptfile holds anything: an object, or what is broken of one. */
function holdsObject(text: string): boolean {
  try {
    return KrmObject.fromDocument(text).isMap()
  } catch (error) {
    if (error instanceof WireError) return true
    throw error
  }
}

function kptfileObject(text: string, path: string): KrmObject {
  return KrmObject.fromDocument(text, { path, index: 0, line: 1 })
}
