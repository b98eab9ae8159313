import { randomUUID } from 'node:crypto'
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { quietly } from '../attempt.ts'
import { makeFolder } from './make-folder.ts'

/** Returns the text of a file in a folder of the user's cache; undefined if it cannot be read, and in a folder of another user. */
export function readCached(file: string): string | undefined {
  return quietly(() => (isOwn(dirname(file)) ? readFileSync(file, 'utf8') : undefined))
}

/**
 * Writes a file into a folder of the user's cache, which is made if it is missing: beside the file first, then renamed, so that no reader
 * sees half a file. Returns false if the file cannot be written, and for a folder of another user.
 */
export function writeCached(file: string, text: string): boolean {
  const beside = `${file}.${randomUUID()}`
  const isWritten = quietly(() => {
    makeFolder(dirname(file), 0o700)
    if (!isOwn(dirname(file))) return false
    try {
      writeFileSync(beside, text, { mode: 0o600, flag: 'wx' })
      renameSync(beside, file)
    } finally {
      rmSync(beside, { force: true })
    }
    return true
  })
  return isWritten === true
}

/** Returns true for a folder of this user: another user could put files into a folder below /tmp. */
function isOwn(folder: string): boolean {
  const user = process.getuid?.()
  return user === undefined || lstatSync(folder).uid === user
}
