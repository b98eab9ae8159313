import { lstatSync, statSync } from 'node:fs'
import { folderPrint } from './folder-print.ts'
import { fileHolds } from './whole-folder.ts'

/**
 * Returns false if a place no longer has the content that a change of it relies on: a person or another run changed it since it was read.
 * Asked directly before the change, which is then not made. A folder that is moved aside before it is removed is looked for at its new
 * place.
 */
export type IsAsRead = (place?: string) => boolean

/** Files or folders that someone else changed since they were read. They are left as they are. */
export class ChangedMeanwhile extends Error {
  readonly places: readonly string[]
  /** True if other changes were made before. */
  readonly isPartial: boolean

  constructor(places: readonly string[], { isPartial }: { readonly isPartial: boolean }) {
    super(`changed since the run read it: ${places.join(', ')}`)
    this.name = 'ChangedMeanwhile'
    this.places = places
    this.isPartial = isPartial
  }
}

/** Returns the test if a place leads to a file with exactly this text. */
export function holdsText(place: string, text: string): IsAsRead {
  return holdsBytes(place, Buffer.from(text))
}

/** Returns the test if a place leads to a file with exactly these bytes. */
export function holdsBytes(place: string, bytes: Uint8Array): IsAsRead {
  return () => statSync(place, { throwIfNoEntry: false })?.isFile() === true && fileHolds(place, bytes)
}

/** Returns the test if nothing is at a place, neither a file nor a link. */
export function isFree(place: string): IsAsRead {
  return () => lstatSync(place, { throwIfNoEntry: false }) === undefined
}

/**
 * Returns the test if a folder has the content that it has at this call.
 *
 * @throws the error of node:fs when the folder, a folder below or a file cannot be read
 */
export function keepsContent(folder: string): IsAsRead {
  const before = folderPrint(folder)
  return (place = folder) => folderPrint(place) === before
}
