// `npm run images`: the image of every function, named in its metadata.yaml, and one of the tool, which has them all. Prints their names.
// Options: `--base IMAGE` instead of distroless Node 24, `--tag TAG` instead of the version of package.json, `--programs` for what goes
// into the images only, when something else builds them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runRuntime } from './container-runtime.mjs'
import { functionDoc } from './function-doc.mjs'
import { functionNames } from './function-registry.mjs'
import { FAMILY, imageProgram } from './image-program.mjs'
import { prepare, ROOT } from './ready.mjs'

const PROGRAMS = join(ROOT, 'dist/images')

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const { values } = parseArgs({
  options: { base: { type: 'string' }, tag: { type: 'string', default: `v${version}` }, programs: { type: 'boolean', default: false } },
})

prepare(process.execPath, ['scripts/generate.mjs'])
mkdirSync(PROGRAMS, { recursive: true })
for (const name of [...functionNames(), FAMILY]) {
  writeFileSync(join(PROGRAMS, `${name}.cjs`), await imageProgram(name))
  if (values.programs) continue
  const image = `${imageOf(name)}:${values.tag}`
  runRuntime('build', '--quiet', ...buildArgs({ PROGRAM: name, BASE: values.base }), '--tag', image, ROOT)
  process.stdout.write(`${image}\n`)
}

/** The tool's image stands beside those of the functions. */
function imageOf(name) {
  return name === FAMILY ? functionDoc(functionNames()[0]).image.replace(/[^/]+$/, FAMILY) : functionDoc(name).image
}

function buildArgs(args) {
  return Object.entries(args).flatMap(([key, value]) => (value === undefined ? [] : ['--build-arg', `${key}=${value}`]))
}
