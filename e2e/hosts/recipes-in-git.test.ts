import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../run-program.ts'
import { readFiles } from './markdown.ts'
import { KPTS, KUSTOMIZE, PRE_COMMIT } from './present-hosts.ts'
import { recipeRepository, scriptOf } from './recipe-repository.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const recipe = (name: string) => readFileSync(join(ROOT, 'docs/recipes', `${name}.md`), 'utf8')
/** A gh that writes what it is asked, and the text of a pull request, into a file. */
const GH = `#!/bin/sh\n[ "$1" = auth ] && exit\necho "$@" >> "LOG"\nfor last; do :; done\ncat "$last" > "LOG.text"\n`
const BREAK = 'sed -i s/objectSelector/objectSelektor/ fleet/sets/point-of-sale.yaml'

describe('pull-requests.md', () => {
  const block = (path: string) => parse(recipe('pull-requests').split(`# ${path}\n`)[1]?.split('```')[0] ?? '')

  test('the job of GitLab makes the diff and the report, and fails when the diff does', async () => {
    const { folder, bash } = await recipeRepository()
    const script = `export CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse HEAD)\n${block('.gitlab-ci.yml').fleet.script.join('\n')}`
    expect(await bash(script)).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(folder, 'diff.md'), 'utf8')).toContain('### Fleet: ')
    expect(readFileSync(join(folder, 'check.xml'), 'utf8')).toContain('<testsuites')
    await bash(BREAK)
    expect((await bash(script)).exitCode).toBe(1)
  })

  test('the workflow passes inputs that the action has', () => {
    const { steps } = block('.github/workflows/fleet.yaml').jobs.diff
    const { inputs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'))
    expect(steps[1].uses).toBe(`krm-variants/krm-variants@v${version}`)
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(steps[1].with)))
  })

  test('the scheduled workflow opens a pull request with the newer revisions, and nothing when there are none', async () => {
    const { folder, bash } = await recipeRepository()
    const run = scriptOf(block('.github/workflows/outdated.yaml').jobs.update.steps)
    const fleet = join(ROOT, 'testdata/cli/outdated-set-json/input')
    await bash(`rm -r fleet && cp -r '${fleet}' fleet && git add . && git commit --quiet --message fleet`)
    await bash('git init --quiet --bare .git/remote && git remote add origin .git/remote && git push --quiet origin HEAD:main')
    writeFileSync(join(folder, '.git/gh'), GH.replaceAll('LOG', `${folder}/.git/gh.log`), { mode: 0o755 })
    const script = `export PATH=${folder}/.git:$PATH\n${run}`
    expect(await bash(script)).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(folder, '.git/gh.log'), 'utf8')).toMatch(/^pr create --head outdated /)
    expect(readFileSync(join(folder, '.git/gh.log.text'), 'utf8')).toContain('2 of 3 upstreams outdated')
    const { stdout } = await bash('git diff HEAD~1 --unified=0 -- fleet/sets.yaml')
    expect(stdout.toString()).toContain('+    revision: 4 # raised by the payments team')
    expect((await bash('git -C .git/remote ls-tree -r --name-only outdated')).stdout.toString()).toContain(
      'fleet/clusters/store-ber-01/tills/app.yaml',
    )
    expect(await bash(script)).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(folder, '.git/gh.log'), 'utf8').split('\n')).toHaveLength(2)
  })

  test('the tag tracker opens a pull request with the revision that the tag names, and nothing while the tag stays', async () => {
    const { folder, bash } = await recipeRepository()
    const [, workflow = ''] = recipe('tag-tracker').split('# .github/workflows/tag-tracker.yaml\n')
    const run = scriptOf(parse(workflow.split('```')[0] ?? '').jobs.track.steps)
    await bash(`rm -r fleet && cp -r '${join(ROOT, 'testdata/cli/outdated/input')}' fleet`)
    await bash(
      `cp '${join(ROOT, 'testdata/cli/outdated-tag/input/options.yaml')}' fleet/render.yaml && git add . && git commit --quiet --message fleet`,
    )
    await bash('git init --quiet --bare .git/remote && git remote add origin .git/remote && git push --quiet origin HEAD:main')
    writeFileSync(join(folder, '.git/gh'), GH.replaceAll('LOG', `${folder}/.git/gh.log`), { mode: 0o755 })
    const script = `export PATH=${folder}/.git:$PATH TAG=stable\n${run}`
    expect(await bash(script)).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(folder, '.git/gh.log'), 'utf8')).toMatch(/^pr create --head tag-stable /)
    const { stdout } = await bash('git diff HEAD~1 --unified=0 -- fleet/sets.yaml')
    expect(stdout.toString()).toContain('+    revision: 4 # raised by the payments team')
    expect(await bash(script)).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(folder, '.git/gh.log'), 'utf8').split('\n')).toHaveLength(2)
  })

  test('the scheduled workflow of a ring opens a pull request when its turn has come, and the check refuses what comes too early', async () => {
    const { folder, bash } = await recipeRepository()
    const run = scriptOf(block('.github/workflows/rings.yaml').jobs.promote.steps)
    const fleet = join(ROOT, 'testdata/cli/promote/input')
    await bash(`rm -r fleet && cp -r '${fleet}' fleet && git add . && git commit --quiet --message fleet`)
    await bash('git init --quiet --bare .git/remote && git remote add origin .git/remote && git push --quiet origin HEAD:main')
    writeFileSync(join(folder, '.git/gh'), GH.replaceAll('LOG', `${folder}/.git/gh.log`), { mode: 0o755 })
    const script = (ring: string) => `export PATH=${folder}/.git:$PATH RING=${ring}\n${run}`
    expect(await bash(script('world'))).toMatchObject({ exitCode: 0 })
    expect(await bash(script('europe'))).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(folder, '.git/gh.log'), 'utf8')).toMatch(/^pr create --head ring-europe [^\n]*\n$/)
    const { stdout } = await bash('git diff HEAD~1 --unified=0 -- fleet/tills.yaml')
    expect(stdout.toString()).toContain("'store-kel-01']\", revisions: {tills: 4}}")
    expect((await bash('git show HEAD:fleet/clusters/store-ham-01/tills/app.yaml')).stdout.toString()).toContain('tills:4.0.0')
    const check = `export CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse HEAD~1)\n${block('.gitlab/check-rings.yml')['check-rings'].script.join('\n')}`
    expect(await bash(check)).toMatchObject({ exitCode: 0 })
    await bash("sed -i 's/revision: 3/revision: 4/' fleet/tills.yaml")
    const refused = await bash(check)
    expect({ exitCode: refused.exitCode, isFound: refused.stdout.toString().includes('[rings-at-once]') }).toEqual({
      exitCode: 1,
      isFound: true,
    })
  })

  test.skipIf(!PRE_COMMIT.present)('pre-commit lets a good fleet through and refuses a broken one', async () => {
    const { folder, bash } = await recipeRepository()
    const { repos } = block('.pre-commit-config.yaml')
    // The hooks of now, as a repository of their own.
    const hooks = join(folder, '.git/hooks-repository')
    const make = `git init --quiet . && cp '${ROOT}.pre-commit-hooks.yaml' . && git add . && git commit --quiet --message hooks && git rev-parse HEAD`
    const rev = (await bash(`mkdir ${hooks} && cd ${hooks} && ${make}`)).stdout.toString().trim()
    writeFileSync(join(folder, '.pre-commit-config.yaml'), JSON.stringify({ repos: [{ ...repos[0], repo: hooks, rev }] }))
    // A developer's own checkout: npx gives what the registry would.
    const npx = `#!/bin/sh\n[ "$1 $2" = "--yes krm-variants@${version}" ] && shift 2 && exec krm-variants "$@"\n`
    writeFileSync(join(folder, '.git/npx'), npx, { mode: 0o755 })
    const run = `export PATH=${folder}/.git:$PATH && git add . && PRE_COMMIT_HOME=${folder}/.git/pre-commit pre-commit run --all-files`
    expect(await bash(run)).toMatchObject({ exitCode: 0 })
    await bash(BREAK)
    const { stdout, exitCode } = await bash(run)
    expect(stdout.toString()).toContain("did you mean 'objectSelector'?")
    expect({ exitCode, rev: repos[0].rev }).toEqual({ exitCode: 1, rev: `v${version}` })
  })
})

describe('gitops.md', () => {
  const files = readFiles(recipe('gitops'))

  test('the job commits the packages once', async () => {
    const { folder, bash } = await recipeRepository()
    writeFileSync(join(folder, 'render.sh'), recipe('gitops').split('```text\n')[1]?.split('```')[0] ?? '')
    expect(files.get('workflow.yaml')).toContain(' sh render.sh\n')
    for (const round of ['first', 'second']) expect({ round, ...(await bash('sh render.sh')) }).toMatchObject({ round, exitCode: 0 })
    expect((await bash('git rev-list --count HEAD')).stdout.toString()).toBe('2\n')
    expect(readdirSync(join(folder, 'packages/store-ham-01')).length).toBeGreaterThan(0)
  })

  test('the packages of a cluster are pushed to its repository once', async () => {
    const { folder, bash } = await recipeRepository()
    const script = (name: string) => recipe('gitops').split(`# ${name}\n`)[1]?.split('```')[0] ?? ''
    for (const name of ['render.sh', 'publish.sh']) writeFileSync(join(folder, name), script(name))
    await bash('sh render.sh')
    const clusters = readdirSync(join(folder, 'packages'))
    for (const name of clusters) await bash(`git init --quiet --bare --initial-branch main .git/stores/${name}.git`)
    for (const round of ['first', 'second']) {
      expect({ round, ...(await bash(`STORES=${folder}/.git/stores sh publish.sh`)) }).toMatchObject({ round, exitCode: 0 })
    }
    expect(clusters).toContain('store-ham-01')
    for (const name of clusters) {
      const tree = `git -C .git/stores/${name}.git`
      expect((await bash(`${tree} rev-list --count main`)).stdout.toString()).toBe('1\n')
      expect((await bash(`${tree} rev-parse main:packages`)).stdout).toEqual((await bash(`git rev-parse HEAD:packages/${name}`)).stdout)
    }
  })

  test.skipIf(!KUSTOMIZE.present)('kustomize leaves out what is marked as local', async () => {
    const { folder, bash } = await recipeRepository()
    const object = (name: string, annotations: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  annotations: ${annotations}\n`
    writeFileSync(join(folder, 'local.yaml'), object('local', '{config.kubernetes.io/local-config: "true"}'))
    writeFileSync(join(folder, 'applied.yaml'), object('applied', '{}'))
    writeFileSync(join(folder, 'kustomization.yaml'), 'resources: [local.yaml, applied.yaml]\n')
    const { stdout } = await bash('kustomize build .')
    expect(stdout.toString()).toContain('name: applied')
    expect(stdout.toString()).not.toContain('name: local')
  })
})

describe.each(KPTS)('kpt.md, with %s', (kpt) => {
  test('says what becomes of a package that kpt since beta.62 rendered', async () => {
    const { folder, bash } = await recipeRepository()
    const head = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n'
    writeFileSync(join(folder, 'Kptfile'), `${head}status:\n  renderStatus:\n    mutationSteps: []\n`)
    const { stdout, stderr, exitCode } = await bash(`${kpt} fn render .`)
    const beta = Number((await bash(`${kpt} version`)).stdout.toString().match(/beta\.(\d+)/)?.[1])
    const [refusal = ''] = recipe('kpt').match(/field renderStatus not found in type v1\.Status/) ?? []
    expect(refusal).not.toBe('')
    expect({ exitCode, refused: `${stdout}${stderr}`.includes(refusal) }).toEqual({ exitCode: beta < 62 ? 1 : 0, refused: beta < 62 })
  })
})
