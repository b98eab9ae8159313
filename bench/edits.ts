import { join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { type Bench, costOf, judge, type Row } from './bench.ts'

/** The large list with one edit on every item. */
export async function edits(bench: Bench): Promise<readonly Row[]> {
  const bundle = join(bench.folder, 'edit-every-item.mjs')
  await buildLikeDist('bench/edit-every-item.ts', bundle)
  return [judge(bench, 'large list, one edit on every item', costOf(bench, bundle, bench.identityInput), 10, 300)]
}

/** A bundle like those of `npm run build`. */
async function buildLikeDist(entry: string, outfile: string): Promise<void> {
  const { atFirstCall }: { atFirstCall: Plugin } = await import(resolve('scripts/at-first-call.mjs'))
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);" },
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    define: { FUNCTION_DOC: '{}' },
    plugins: [atFirstCall],
  })
}
