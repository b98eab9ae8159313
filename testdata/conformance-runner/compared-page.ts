import { readFileSync } from 'node:fs'
import type { Count } from './run-tree.ts'

const PAGE = 'docs/compared.md'

/**
 * Returns a line for each folder whose counts `docs/compared.md` does not give as they are, and for each row of a folder that no run has.
 */
export function comparedPageFaults(folders: ReadonlyMap<string, Count>): readonly string[] {
  return faultsOfPage(readFileSync(PAGE, 'utf8'), folders)
}

/** Compares the rows of a page, which begin with a folder in backquotes and end with `EQUAL of CASES`, with the counts of a run. */
export function faultsOfPage(page: string, folders: ReadonlyMap<string, Count>): readonly string[] {
  const rows = new Map(
    Array.from(page.matchAll(/^\| `([^`]+)` \|.*\| ([\d,]+ of [\d,]+) \|$/gm), ([, folder = '', count]) => [folder, count]),
  )
  const wrong = [...folders]
    .map(([folder, { equal, cases }]) => ({ folder, count: `${grouped(equal)} of ${grouped(cases)}` }))
    .filter(({ folder, count }) => rows.get(folder) !== count)
    .map(({ folder, count }) => `${PAGE}: the row of \`${folder}\` must say ${count}, and says ${rows.get(folder) ?? 'nothing'}`)
  const stray = [...rows.keys()]
    .filter((folder) => !folders.has(folder))
    .map((folder) => `${PAGE}: no answers of \`${folder}\` were compared`)
  return [...wrong, ...stray]
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}
