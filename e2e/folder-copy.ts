import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ROOT } from './run-program.ts'

/** Copies a folder of the repository to a place that is removed after the test; returns that place. */
export function copyFolder(path: string): string {
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const copy = join(place, 'package')
  cpSync(join(ROOT, path), copy, { recursive: true })
  return copy
}

/** Every file below a folder with its bytes (as latin1), by path. */
export function readFolder(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort()
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]))
}

/** The paths of files that only one of two folders has, or that differ. */
export function differingFiles(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path)).sort()
}
