import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Texts } from '../package-of-texts.ts'

/** A package as a textual merge makes it. */
export interface Ideal {
  readonly files: Texts
  /** The files in which both sides changed the same lines: of those, upstream's are in `files`. */
  readonly conflicts: readonly string[]
}

/**
 * Merges what people did to the clone of one revision into the clone of another, line by line with `git merge-file`. A file that one side
 * removed is gone, unless the other side changed it.
 */
export function idealUpgrade(base: Texts, mine: Texts, theirs: Texts): Ideal {
  const files: Record<string, string> = {}
  const conflicts: string[] = []
  for (const path of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const [before, own, upstream] = [base[path], mine[path], theirs[path]]
    if (own === undefined || upstream === undefined) {
      const [left, other] = [own ?? upstream, before]
      if (left !== undefined && left !== other) files[path] = left
      continue
    }
    const merged = mergeFile(before ?? '', own, upstream)
    files[path] = merged.text
    if (merged.hasConflict) conflicts.push(path)
  }
  return { files, conflicts }
}

function mergeFile(base: string, mine: string, theirs: string): { readonly text: string; readonly hasConflict: boolean } {
  if (mine === base || theirs === mine) return { text: theirs, hasConflict: false }
  if (theirs === base) return { text: mine, hasConflict: false }
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'))
  try {
    const paths = Object.entries({ mine, base, theirs }).map(([name, text]) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    })
    const merge = (...options: string[]) => spawnSync('git', ['merge-file', '-p', ...options, ...paths], { encoding: 'utf8' })
    return { text: merge('--theirs').stdout, hasConflict: merge().status !== 0 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
