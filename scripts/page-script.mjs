import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './ready.mjs'

/** The pages of the tool, with the names of their constants. */
const PAGES = [
  { name: 'FLEET_PAGE', entry: 'page/fleet/main.ts', styles: ['page/page.css'] },
  { name: 'DIFF_PAGE', entry: 'page/diff/main.ts', styles: ['page/page.css', 'page/diff/diff.css'] },
]

/**
 * The text of cli/generated/page.ts: the script of each page with its libraries, and its style, for a bundle that has no files beside it.
 */
export async function pageScript() {
  const pages = await Promise.all(PAGES.map(constantsOf))
  return `// Written by scripts/generate.mjs from page/.\n${pages.join('')}`
}

async function constantsOf({ name, entry, styles }) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  const style = styles.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('')
  return `
export const ${name}_SCRIPT = ${JSON.stringify(outputFiles[0].text.replaceAll('</script', '<\\/script'))}

export const ${name}_STYLE = ${JSON.stringify(style)}
`
}
