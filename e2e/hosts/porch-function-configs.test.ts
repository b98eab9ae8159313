import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { ROOT, runProgram } from '../run-program.ts'
import { FUNCTIONS } from './functions.ts'
import { readFiles } from './markdown.ts'
import { GO } from './present-hosts.ts'

const PORCH = 'github.com/nephio-project/porch@v1.5.3'
/** Of Porch after 1.5, whose CRD no module has yet. */
const SHIPPED = join(ROOT, '../shared/real/packages/073-nephio-project-porch/23-function-configurations.yaml')
const RECIPE = readFileSync(join(ROOT, 'docs/recipes/porch.md'), 'utf8')

describe('the objects of porch.md', () => {
  test.skipIf(!GO.present)('are of a kind that Porch 1.5 does not define, as the recipe says', async () => {
    const { stdout, exitCode } = await runProgram('go', ['mod', 'download', '-json', PORCH])
    expect({ exitCode, said: exitCode === 0 ? '' : stdout.toString() }).toEqual({ exitCode: 0, said: '' })
    const folder = join(JSON.parse(stdout.toString()).Dir, 'api/porchconfig/v1alpha1')
    const crds = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
    expect(crds.map((file) => parse(readFileSync(join(folder, file), 'utf8')).spec.names.kind)).toEqual(['Repository'])
    expect(RECIPE).toContain('it has no kind `FunctionConfig`')
  })

  test.skipIf(!existsSync(SHIPPED) && !SHARED_MUST_BE_THERE)('have no field but those of the ones that Porch ships', () => {
    const ours = objectsOf(readFiles(RECIPE).get('function-configs.yaml') ?? '')
    const known = new Set(objectsOf(readFileSync(SHIPPED, 'utf8')).flatMap((config) => fieldsOf(config)))
    expect(known.size).toBeGreaterThan(8)
    expect(ours.flatMap((config) => fieldsOf(config)).filter((field) => !known.has(field))).toEqual([])
    expect(ours).toHaveLength(FUNCTIONS.length)
  })
})

function objectsOf(text: string): object[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object?.kind === 'FunctionConfig')
}

/** The path of every field below an object, and the types of values. */
function fieldsOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([key, child]) => {
    const field = Array.isArray(value) ? `${path}[]` : `${path}.${key}`
    return typeof child === 'object' && child !== null ? [field, ...fieldsOf(child, field)] : [`${field} ${typeof child}`]
  })
}
