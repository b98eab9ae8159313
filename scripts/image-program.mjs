import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleScript } from './bundle.mjs'
import { functionDoc } from './function-doc.mjs'
import { exportOf, functionNames } from './function-registry.mjs'
import { ROOT } from './ready.mjs'

/** The image of the tool, which runs every function as `fn NAME`. */
export const FAMILY = 'krm-variants'

/** Lists that a function has run on when the snapshot is taken, so that nothing is left to compile: enough for its usual ways. */
const WARM_UP = 10
const MAX_LENGTH = 20_000

/**
 * The text of the program of an image, from which its Dockerfile makes a start-up snapshot: a script, since Node takes nothing else for
 * one.
 *
 * @param name  a function, or FAMILY
 */
export async function imageProgram(name) {
  if (name !== FAMILY) return bundleScript(programOf(name), functionDoc(name), { WARM_UP: warmUp(name) })
  const lists = Object.fromEntries(functionNames().map((each) => [each, warmUp(each)]))
  return bundleScript("import './cli/image.ts'", functionDoc(name), { WARM_UP: lists })
}

function programOf(name) {
  return `import { startupSnapshot } from 'node:v8'
import { evaluate, main } from './src/run.ts'
import { ${exportOf(name)} as fn } from './functions/${name}/${name}.ts'
for (const list of WARM_UP) evaluate(fn, list)
startupSnapshot.setDeserializeMainFunction(() => void main(fn))`
}

function warmUp(name) {
  const folder = join(ROOT, 'testdata', name)
  const lists = readdirSync(folder).map((golden) => readFileSync(join(folder, golden, 'input.yaml'), 'utf8'))
  return lists.filter(({ length }) => length <= MAX_LENGTH).slice(0, WARM_UP)
}
