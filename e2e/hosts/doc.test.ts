import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { FUNCTIONS, goldenCasesOf, metadataOf } from './functions.ts'

// The schema of metadata.yaml in the functions catalog of 2026 (scripts/generate_docs): what must be there, and what may.
const REQUIRED = ['image', 'description', 'tags']
const OPTIONAL = ['sourceURL', 'examplePackageURLs', 'license', 'hidden']
const TAGS = [
  'mutator',
  'validator',
  'viewer',
  'generator',
  'test',
  'testing',
  'timing',
  'Config Sync',
  'GCP',
  'blueprints',
  'name prefix',
  'name suffix',
]

describe.each(FUNCTIONS)('%s', (name) => {
  // kpt before beta.62 gives --help no stdin, newer kpt an empty list; neither may make a difference, nor may a stdin that never ends.
  test('--help says what the README says, with a stdin that stays open', async () => {
    const child = spawn(bundlePath(name), ['--help'], { stdio: ['pipe', 'pipe', 'pipe'] })
    const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    child.stdin.destroy()
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    const { short, long, examples } = sectionsOf(name)
    expect(stdout).toBe(`${short}\n\n${long}\n\nExamples:\n\n${examples}\n`)
  })

  test('--doc is what README and metadata.yaml say, as JSON', async () => {
    const { stdout, exitCode } = await runProgram(bundlePath(name), ['--doc'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout.toString())).toEqual({ ...sectionsOf(name), hidden: false, ...metadataOf(name) })
  })

  test('metadata.yaml is as the catalog wants it', () => {
    const metadata = metadataOf(name)
    expect(Object.keys(metadata)).toEqual(expect.arrayContaining(REQUIRED))
    expect(Object.keys(metadata).filter((key) => ![...REQUIRED, ...OPTIONAL].includes(key))).toEqual([])
    expect(metadata.image).toMatch(new RegExp(`^ghcr\\.io/[^:@]+/${name}$`))
    expect(metadata.tags).not.toEqual([])
    expect(TAGS).toEqual(expect.arrayContaining([metadata.tags].flat()))
  })

  test('krm-function-definition.yaml has a schema that takes the function configs of the golden cases', () => {
    const definition = parse(readFileSync(join(ROOT, 'functions', name, 'krm-function-definition.yaml'), 'utf8'))
    const [version] = definition.spec.versions
    const validate = new Ajv({ strict: false, formats: { cel: true } }).compile(version.schema.openAPIV3Schema)
    const good = goldenCasesOf(name).filter(({ exitCode }) => exitCode === 0)
    const configs = good.map(({ input }) => ResourceList.parse(input).functionConfig?.toJson())
    const ours = configs.filter((config) => config?.kind === definition.spec.names.kind)
    expect(ours.length).toBeGreaterThan(0)
    expect(ours.filter((config) => !validate(config))).toEqual([])
    expect(validate({ ...ours[0], spec: { noSuchField: true } })).toBe(false)
  })
})

test('the definitions are those of the schemas and metadata of today (npm run schemas)', async () => {
  const folder = testFolder()
  for (const path of ['scripts', 'functions', 'schemas', 'package.json']) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { stderr, exitCode } = await runProgram(process.execPath, [join(folder, 'scripts/function-definitions.mjs')])
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  for (const name of FUNCTIONS) {
    const path = `functions/${name}/krm-function-definition.yaml`
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(readFileSync(join(folder, path), 'utf8'))
  }
})

/** The marked sections of a README, without the comments for our own tests. */
function sectionsOf(name: string): { short: string; long: string; examples: string } {
  const readme = readFileSync(join(ROOT, 'functions', name, 'README.md'), 'utf8')
  const between = (title: string) => {
    const start = readme.indexOf(`<!--mdtogo:${title}-->`)
    const end = readme.indexOf('<!--mdtogo-->', start)
    if (start === -1 || end === -1)
      throw new Error(`functions/${name}/README.md must have a section <!--mdtogo:${title}--> … <!--mdtogo-->`)
    return readme
      .slice(readme.indexOf('-->', start) + 3, end)
      .replace(/^<!-- needs .*\n/gm, '')
      .trim()
  }
  return { short: between('Short'), long: between('Long'), examples: between('Examples') }
}
