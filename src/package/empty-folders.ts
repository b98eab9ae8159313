import { lstatSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Removes empty folders from one up to another; the last one stays. */
export function removeEmpty(folder: string, upTo: string): void {
  for (let empty = folder; empty !== upTo && isEmpty(empty); empty = dirname(empty)) rmdirSync(empty)
}

/** Removes folders that hold nothing but empty folders. */
export function removeEmptyFolders(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  for (const name of readdirSync(folder)) removeEmptyFolders(join(folder, name))
  if (isEmpty(folder)) rmdirSync(folder)
}

function isEmpty(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(folder).length === 0
}
