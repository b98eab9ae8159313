import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {out: clusters}
`

const set = (repositories: string) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [${repositories}]
`

const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
pipeline:
  mutators:
    - image: set-labels:v0.2.0
      configMap: {team: x}
`
const BOTH = '{name: ham}, {name: ber}'

/** Returns the rules of the errors of `check` and of `render`, after a change of a rendered fleet. */
async function refusalsAfter(change: (fleet: TestRepository) => void, severity = 'error'): Promise<readonly (readonly string[])[]> {
  const folder = testFolder()
  const fleet = new TestRepository(folder)
  fleet.write('catalog/web@v1/Kptfile', KPTFILE)
  fleet.write('catalog/web@v1/cm.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\n')
  fleet.write('options.yaml', OPTIONS)
  fleet.write('set.yaml', set(BOTH))
  await fleet.run('render', '.')
  change(fleet)
  const [checked, rendered] = [await fleet.run('check', '.'), await fleet.run('render', '.')]
  const rulesIn = (text: string) =>
    [...text.matchAll(/^(?! ).*?(error|warning): .*\[([a-z-]+)\]$/gm)].flatMap(([, found, rule = '']) => (found === severity ? [rule] : []))
  return [rulesIn(checked.stdout), rulesIn(rendered.stderr)]
}

const CHANGES = [
  {
    what: 'removes a package with edits',
    rule: 'discard-edits',
    change: (fleet: TestRepository) => {
      fleet.write('clusters/ber/web/mine.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\n')
      fleet.write('set.yaml', set('{name: ham}'))
    },
  },
  { what: 'empties a rendered Kptfile', rule: 'kptfile', change: (fleet: TestRepository) => fleet.write('clusters/ber/web/Kptfile', '') },
  {
    what: 'names another folder for the packages',
    rule: 'package-elsewhere',
    change: (fleet: TestRepository) => fleet.write('options.yaml', OPTIONS.replace('clusters', 'packages')),
  },
  {
    what: 'makes the folder of a package a link to another package',
    rule: 'downstream-occupied',
    change: (fleet: TestRepository) => {
      fleet.remove('clusters/ber/web')
      symlinkSync('../ham/web', join(fleet.folder, 'clusters/ber/web'))
    },
  },
  {
    what: 'puts a second document into a rendered Kptfile',
    rule: 'unreadable-file',
    change: (fleet: TestRepository) => fleet.replace('clusters/ber/web/Kptfile', 'apiVersion', `${KPTFILE}---\napiVersion`),
  },
  {
    what: 'makes a file of a package a link',
    rule: 'unreadable-file',
    change: (fleet: TestRepository) => {
      fleet.remove('clusters/ber/web/cm.yaml')
      symlinkSync('../../../catalog/web@v1/cm.yaml', join(fleet.folder, 'clusters/ber/web/cm.yaml'))
    },
  },
  { what: 'removes every variant', rule: 'deletion-guard', change: (fleet: TestRepository) => fleet.remove('set.yaml') },
]

test.each(CHANGES)('a change that $what is an error of check, as it is one of render', async ({ rule, change }) => {
  expect(await refusalsAfter(change)).toEqual([[rule], [rule]])
})

const REVISIONS = [
  {
    what: 'with an emptied pipeline',
    kptfile: KPTFILE.replace(/pipeline:.*/s, 'pipeline: {}\n'),
    severity: 'warning',
    rule: 'functions-gone',
  },
  {
    what: 'with a second document in its Kptfile',
    kptfile: `${KPTFILE}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: lost}\n`,
    severity: 'error',
    rule: 'kptfile-documents',
  },
  { what: 'without a Kptfile', kptfile: undefined, severity: 'error', rule: 'upstream-no-package' },
]

test.each(REVISIONS)(
  'an upstream revision $what, which takes functions or objects away, is a finding of check too',
  async ({ kptfile, severity, rule }) => {
    const answers = await refusalsAfter((fleet) => {
      fleet.write('set.yaml', set(BOTH).replace('revision: 1', 'revision: 2'))
      if (kptfile !== undefined) fleet.write('catalog/web@v2/Kptfile', kptfile)
      fleet.write('catalog/web@v2/cm.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\n')
    }, severity)
    expect(answers.map((rules) => [...new Set(rules)])).toEqual([[rule], [rule]])
  },
)

test('a package that goes with what its functions wrote alone is no error of check', async () => {
  expect(await refusalsAfter((fleet) => fleet.write('set.yaml', set('{name: ham}')))).toEqual([[], []])
})

test('a file with a conflict of a merge, which upstream removed, is left with one finding', async () => {
  const fleet = new TestRepository(testFolder())
  for (const revision of ['v1', 'v2']) fleet.write(`catalog/web@${revision}/Kptfile`, KPTFILE.replace(/pipeline[\s\S]*/, ''))
  fleet.write('catalog/web@v1/cm.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\n')
  fleet.write('options.yaml', OPTIONS)
  fleet.write('set.yaml', set('{name: ham}'))
  await fleet.run('render', '.')
  fleet.write('clusters/ham/web/cm.yaml', 'apiVersion: v1\nkind: ConfigMap\n<<<<<<< HEAD\n=======\n>>>>>>> x\n')
  fleet.write('set.yaml', set('{name: ham}').replace('revision: 1', 'revision: 2'))
  const { stderr, exitCode } = await fleet.run('render', '.')
  expect([exitCode, stderr.match(/^clusters.*$/gm)]).toEqual([
    0,
    [
      expect.stringMatching(
        /^clusters\/ham\/web\/cm\.yaml:3:1: warning: .*; it is left as it is, though upstream removed it \[unreadable-file\]$/,
      ),
    ],
  ])
})

test('packages behind an `out` that is a link to a folder of the fleet are found by check and render', async () => {
  const behindLink = (fleet: TestRepository) => {
    renameSync(join(fleet.folder, 'clusters'), join(fleet.folder, 'packages'))
    symlinkSync('packages', join(fleet.folder, 'clusters'))
  }
  for (const severity of ['error', 'warning']) expect(await refusalsAfter(behindLink, severity)).toEqual([[], []])
})
