import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { testFolder } from '../../testdata/test-folder.ts'
import { must } from '../installed-package.ts'
import { ROOT, runProgram } from '../run-program.ts'
import { ACTIONLINT } from './present-hosts.ts'

interface Step {
  readonly name?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const WORKFLOWS = join(ROOT, '.github/workflows')

function stepsOf(file: string): readonly { readonly job: string; readonly step: Step & { readonly run: string } }[] {
  const { jobs } = parse(readFileSync(join(WORKFLOWS, file), 'utf8'))
  // A job that calls another workflow has no steps.
  const steps = Object.entries<{ steps?: readonly Step[] }>(jobs).flatMap(([job, { steps = [] }]) => steps.map((step) => ({ job, step })))
  return steps.flatMap(({ job, step }) => (step.run === undefined ? [] : [{ job, step: { ...step, run: step.run } }]))
}

const needsMore = ({ step }: { readonly step: Step }) => step.name?.includes('(needs ') === true

describe.skipIf(!ACTIONLINT.present)('actionlint', () => {
  test.each(readdirSync(WORKFLOWS))('has nothing to say of %s', async (file) => {
    const { stdout, exitCode } = await runProgram('actionlint', [join(WORKFLOWS, file)])
    expect({ stdout: stdout.toString(), exitCode }).toEqual({ stdout: '', exitCode: 0 })
  })
})

test('the steps that are not run here say what they need', () => {
  const left = readdirSync(WORKFLOWS).flatMap((file) => stepsOf(file).filter(needsMore))
  expect(left.map(({ job, step }) => `${job}: ${step.name}`)).toEqual([
    'check: format, lint, types and dead code (needs the npm registry)',
    'unit: a third of the unit tests (needs the npm registry)',
    'windows: what Windows can run (needs the npm registry)',
    'random: diff of random fleets beside two full renders (needs the npm registry)',
    'random: five times as many random cases as npm test tries, and others (needs the npm registry)',
    'bundles: kpt (needs the Go proxy)',
    'bundles: bundles and whole processes (needs the npm registry)',
    'hosts: kpt (needs the Go proxy)',
    'hosts: containers, kustomize, and every command of the documentation (needs root)',
    'api: etcd (needs root)',
    'api: an API server takes what is written (needs the Go proxy)',
    'all: kpt (needs the Go proxy)',
    'all: all of it (needs an hour)',
    'package: install (needs the npm registry)',
    'images: install (needs the npm registry)',
    'images: build, push and sign (needs the registry of images)',
    'executables: install (needs the npm registry)',
    'release: publish the package (needs the npm registry)',
    'release: publish (needs GitHub)',
  ])
  const { step } = left.find(({ step }) => step.run.includes('.ci/run')) ?? { step: { run: '' } }
  expect(step.run).toMatch(/\.ci\/run$/)
})

test('without what lies beside the repository .ci/run ends, and says how it does without', async () => {
  const place = testFolder()
  cpSync(join(ROOT, '.ci'), join(place, 'repository/.ci'), { recursive: true })
  const { stderr, exitCode } = await runProgram('env', ['KPT=true', join(place, 'repository/.ci/run')])
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining('SHARED=none leaves out what needs them'), exitCode: 1 })
  expect(stepsOf('ci.yml').find(({ step }) => step.run.includes('.ci/run'))?.step.env).toEqual({ SHARED: "${{ vars.SHARED || 'none' }}" })
})

describe('the steps of a release, in a copy of the repository that is about to be one', () => {
  let place = ''
  let copy = ''

  beforeAll(() => {
    place = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-release-'))
    copy = join(place, 'repository')
    const left = ['node_modules', 'dist', '.git']
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !left.some((name) => path === join(ROOT, name)) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  })
  afterAll(() => rmSync(place, { recursive: true }))

  async function runStep(step: Step & { readonly run: string }, tag = `v${version}`): ReturnType<typeof runProgram> {
    const env = { GITHUB_REF_NAME: tag, PLATFORM: 'linux-amd64' }
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    // As GitHub runs a step.
    return runProgram('env', ['--chdir', copy, ...variables, 'bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run])
  }

  const steps = stepsOf('release.yml').filter((found) => !needsMore(found))

  test('a tag that is not the version, or without notes, ends it', async () => {
    const [first] = steps
    if (first === undefined) throw new Error('there must be steps')
    expect(await runStep(first.step, 'v9.9.9')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`the tag must be v${version}`),
    })
    cpSync(join(ROOT, 'CHANGELOG.md'), join(copy, 'CHANGELOG.saved.md'))
    const changelog = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8')
    writeFileSync(join(copy, 'CHANGELOG.md'), changelog.replace(`## v${version}\n`, ''))
    expect(await runStep(first.step)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('CHANGELOG.md must have a section') })
    writeFileSync(join(copy, 'CHANGELOG.md'), changelog)
  })

  test('they make the notes, the tarball, the programs of the images, an executable that runs, and checksums', async () => {
    for (const { job, step } of steps) {
      // What the jobs before it hand over.
      if (job === 'release') {
        await must('mkdir', [join(copy, 'assets')])
        for (const name of ['release', 'notes.md']) renameSync(join(copy, name), join(copy, 'assets', name))
      }
      const { stdout, stderr, exitCode } = await runStep(step)
      expect({ job, step: step.name, exitCode, said: exitCode === 0 ? '' : `${stdout}${stderr}` }).toEqual({
        job,
        step: step.name,
        exitCode: 0,
        said: '',
      })
    }
    expect(readFileSync(join(copy, 'assets/notes.md'), 'utf8')).toMatch(/^\* `fan-out` turns/m)
    expect(readdirSync(join(copy, 'dist/images'))).toContain('krm-variants.cjs')
    expect(readdirSync(join(copy, 'release')).sort()).toEqual(
      ['checksums.txt', 'krm-variants-linux-amd64', `krm-variants-${version}.tgz`].sort(),
    )
    await must('env', ['--chdir', join(copy, 'release'), 'sha256sum', '--check', '--strict', 'checksums.txt'])
    const { stdout } = await runProgram(join(copy, 'release/krm-variants-linux-amd64'), ['plan', 'examples/fleet'])
    expect(stdout.toString()).toBe((await runProgram('node', ['dist/krm-variants.mjs', 'plan', 'examples/fleet'])).stdout.toString())
  })
})
