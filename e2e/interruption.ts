import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { readFolder } from './folder-copy.ts'
import { bundlePath } from './run-program.ts'

/** The beginning of the names of files while they are written. */
export const LEFTOVER = '.krm-variants-'

/** Parts of a run, from before the first file is written to after the last. */
export const MOMENTS = Array.from({ length: 16 }, (_, index) => 0.2 + (index / 16) * 0.8)

/** Starts the tool and kills it after so many milliseconds; whether it was still running. */
export async function killedAfter(milliseconds: number, args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [bundlePath('krm-variants'), ...args], { stdio: 'ignore' })
  const closed = new Promise<boolean>((resolve) => child.on('close', (_, signal) => resolve(signal === 'SIGKILL')))
  setTimeout(() => child.kill('SIGKILL'), milliseconds)
  return closed
}

/** The files of a folder, and what they are to become. */
export interface States {
  readonly old: ReadonlyMap<string, string>
  readonly made: ReadonlyMap<string, string>
}

/** The files that are neither what they were nor what they are to be. */
export function broken(folder: string, { old, made }: States): readonly string[] {
  const files = [...readFolder(folder)].filter(([path]) => !path.includes(LEFTOVER))
  return files.filter(([path, text]) => text !== old.get(path) && text !== made.get(path)).map(([path]) => path)
}

/** A file system for some files, with room for a third more, where this process may mount one. */
export function smallDisk(folder: string, files: ReadonlyMap<string, string>): string | undefined {
  const pages = [...files.values()].reduce((sum, text) => sum + Math.ceil(text.length / 4096), 0)
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${Math.ceil(pages * 4 * 1.3)}k`, 'tmpfs', folder])
  if (status !== 0) return undefined
  onTestFinished(() => void spawnSync('umount', [folder]))
  return folder
}

/** Closes a folder to everybody, root too, which permissions do not hold back; what opens it again, undefined where it cannot be closed. */
export function closeFolder(folder: string): (() => void) | undefined {
  if (spawnSync('chattr', ['+i', folder]).status !== 0) return undefined
  const open = () => void spawnSync('chattr', ['-i', folder])
  onTestFinished(open)
  return open
}
