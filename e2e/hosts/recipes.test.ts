import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { testFolder } from '../../testdata/test-folder.ts'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { FUNCTIONS, goldenCasesOf, metadataOf } from './functions.ts'
import { buildImages, imageOf } from './images.ts'
import { readFiles } from './markdown.ts'
import { CONTAINERS, KUSTOMIZE } from './present-hosts.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const recipe = (name: string) => readFiles(readFileSync(join(ROOT, 'docs/recipes', `${name}.md`), 'utf8'))

describe('porch.md', () => {
  const configs = parseAllDocuments(recipe('porch').get('function-configs.yaml') ?? '').map((document) => document.toJS())

  test('names the image and the tag of every function', () => {
    const images = configs.map(({ spec }) => spec.prefixes.map((prefix: string) => `${prefix}/${spec.image}:${spec.podExecutor.tags}`))
    expect(images.flat().sort()).toEqual(FUNCTIONS.map((name) => `${metadataOf(name).image}:v${version}`).sort())
  })

  describe.skipIf(!CONTAINERS.present)('as the pod of a function', () => {
    beforeAll(buildImages)

    // The wrapper server calls the entry point without arguments, as the user of the image.
    test.each(FUNCTIONS)('%s runs', async (name) => {
      const golden = goldenCasesOf(name).find(({ exitCode }) => exitCode === 0)
      const args = ['run', '--rm', '-i', '--pull', 'never', '--network', 'none', imageOf(name)]
      const { stdout, exitCode } = await runProgram(CONTAINERS.present ? CONTAINERS.program : '', args, golden?.input)
      expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 0, stdout: readFileSync(golden?.expectedFile ?? '', 'utf8') })
    })
  })
})

describe.skipIf(!KUSTOMIZE.present)('argo-cd.md', () => {
  test('the command of the plug-in prints the manifests', async () => {
    const folder = testFolder()
    const files = recipe('argo-cd')
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text.replace('/usr/local/bin/krm-variants.mjs', bundlePath('krm-variants')))
    }
    const { spec } = parse(files.get('plugin.yaml') ?? '')
    // Argo CD runs the command in the folder of the application.
    const args = ['--chdir', join(folder, 'fleet'), ...spec.generate.command, ...spec.generate.args]
    const { stdout, stderr, exitCode } = await runProgram('env', args)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    const objects = parseAllDocuments(stdout.toString()).map((document) => document.toJS())
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'PackageVariant tills-store-ham-01-tills',
      'PackageVariant tills-store-muc-01-tills',
      'PackageVariantSet tills',
    ])
  })
})
