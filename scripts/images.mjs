// `npm run images`: the image of every function, named in its metadata.yaml. Prints their names.
// Options: `--base IMAGE` instead of distroless Node 24, `--tag TAG` instead of the version of package.json.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runRuntime } from './container-runtime.mjs'
import { functionDoc } from './function-doc.mjs'
import { buildIfNeeded, ROOT } from './ready.mjs'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const { values } = parseArgs({ options: { base: { type: 'string' }, tag: { type: 'string', default: `v${version}` } } })

buildIfNeeded()
for (const name of readdirSync(join(ROOT, 'functions'))) {
  const image = `${functionDoc(name).image}:${values.tag}`
  runRuntime('build', '--quiet', ...buildArgs({ FUNCTION: name, BASE: values.base }), '--tag', image, ROOT)
  process.stdout.write(`${image}\n`)
}

function buildArgs(args) {
  return Object.entries(args).flatMap(([key, value]) => (value === undefined ? [] : ['--build-arg', `${key}=${value}`]))
}
