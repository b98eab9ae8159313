import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './ready.mjs'

/** The text of cli/generated/page.ts: the script of the page with its libraries, and its style, for a bundle that has no files beside it. */
export async function pageScript() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['page/main.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  const style = readFileSync(join(ROOT, 'page/page.css'), 'utf8')
  return `// Written by scripts/compile-schemas.mjs from page/.

export const PAGE_SCRIPT = ${JSON.stringify(outputFiles[0].text.replaceAll('</script', '<\\\\/script'))}

export const PAGE_STYLE = ${JSON.stringify(style)}
`
}
