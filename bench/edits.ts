import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Bench, costOf, judgeByCopies, type Row } from './bench.ts'

/** The large list with one edit on every item. */
export async function edits(bench: Bench): Promise<readonly Row[]> {
  const file = join(bench.folder, 'edit-every-item.mjs')
  writeFileSync(file, await bundleLikeDist('bench/edit-every-item.ts'))
  return [judgeByCopies(bench, 'large list, one edit on every item', costOf(bench, file, bench.identityInput), 4, 300)]
}

/** A bundle as `npm run build` makes them, of a function without documentation. */
async function bundleLikeDist(entry: string): Promise<string> {
  const { bundle }: { bundle: (entry: string, functionDoc: object) => Promise<string> } = await import(resolve('scripts/bundle.mjs'))
  return await bundle(entry, {})
}
