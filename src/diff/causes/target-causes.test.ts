import { expect, test } from 'vitest'
import { finish } from '../../progress.ts'
import { diffFleets } from '../diff-fleets.ts'
import type { ChangeGroup } from '../report.ts'
import { labelledRepository } from '../testing/matrix-states.ts'
import { configText, type Files, KPTFILE_TEXT, stateOfFiles, variantText } from '../testing/states-of-files.ts'

const UPSTREAM: Files = { 'catalog/web@1/Kptfile': KPTFILE_TEXT, 'catalog/web@1/a.yaml': configText('a', 'one') }

const UPSTREAM_ALONE = { ...UPSTREAM, 'fleet/other.yaml': variantText('other', 'edge/other') }

/** Returns the text of a set with targets; the first of them begins in line 9. */
const setText = (...targets: readonly string[]) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: web
  namespace: fleet
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
${targets.map((target) => `${target}\n`).join('')}`

const OPEN = `  - repositorySelector:
      matchLabels:
        status: open`
const SOUTH = `  - repositorySelector:
      matchLabels:
        region: south`

const fleet = (set: string, ...repositories: readonly (readonly [name: string, ...labels: string[]])[]): Files => ({
  ...UPSTREAM,
  'fleet/set.yaml': set,
  ...Object.fromEntries(repositories.map(([name, ...labels]) => [`fleet/${name}.yaml`, labelledRepository(name, ...labels)])),
})

/** Returns a cause or an input of a cause as TEXT FILE:LINE. */
const shown = ({ text, file, line }: ChangeGroup['causes'][number] | { text: string; file?: string; line?: number }) =>
  `${text} ${file}:${line}`

/** Returns the causes of the packages that come or go between two states, each followed by its inputs. */
function causesOf(before: Files, after: Files): readonly string[] {
  const { groups } = finish(diffFleets(stateOfFiles(before), stateOfFiles(after), { withComments: false }))
  return [...new Set(groups.flatMap(({ causes }) => causes.flatMap((cause) => [shown(cause), ...(cause.inputs ?? []).map(shown)])))]
}

const BER = ['ber', 'status: open', 'region: north'] as const
const CLOSED = ['ber', 'status: closed', 'region: north'] as const

const MATCHES = 'spec.targets[0].repositorySelector matches its Repository: status=open fleet/set.yaml:9'
const NOW_CLOSED = OPEN.replace('open', 'closed')
const SOUTHERN = ['ber', 'status: closed', 'region: south'] as const
const NO_SET = { ...UPSTREAM, 'fleet/ber.yaml': labelledRepository('ber', 'status: open') }

test.each<[string, Files, Files, readonly string[]]>([
  [
    'comes by a label that its selector reads',
    fleet(setText(OPEN), CLOSED),
    fleet(setText(OPEN), BER),
    [MATCHES, 'Repository ber: status: closed → open fleet/ber.yaml:7'],
  ],
  [
    'goes by a label that its selector reads',
    fleet(setText(OPEN), BER),
    fleet(setText(OPEN), CLOSED),
    [
      'spec.targets[0].repositorySelector leaves it out: status=open does not hold for status=closed fleet/set.yaml:9',
      'Repository ber: status: open → closed fleet/ber.yaml:7',
    ],
  ],
  [
    'goes by a label that is gone',
    fleet(setText(NOW_CLOSED), CLOSED),
    fleet(setText(NOW_CLOSED), ['ber', 'region: north']),
    [
      'spec.targets[0].repositorySelector leaves it out: status=closed does not hold without label status fleet/set.yaml:9',
      'Repository ber: status: closed → none fleet/ber.yaml:6',
    ],
  ],
  ['comes with its object', fleet(setText(OPEN)), fleet(setText(OPEN), BER), [MATCHES, 'Repository ber fleet/ber.yaml:4']],
  [
    'goes with its object',
    fleet(setText(OPEN), BER),
    fleet(setText(OPEN)),
    ['the Repository of that name is not in the folder fleet/set.yaml:9', 'Repository ber is not in the folder any more fleet/ber.yaml:4'],
  ],
  [
    'comes by another selector, whatever other labels change',
    fleet(setText(NOW_CLOSED), ['ber', 'status: open', 'region: south']),
    fleet(setText(OPEN), BER),
    [MATCHES, 'repositorySelector.matchLabels.status: closed → open fleet/set.yaml:11'],
  ],
  [
    'goes by another selector',
    fleet(setText(OPEN), BER),
    fleet(setText(NOW_CLOSED), BER),
    [
      'spec.targets[0].repositorySelector leaves it out: status=closed does not hold for status=open fleet/set.yaml:9',
      'repositorySelector.matchLabels.status: open → closed fleet/set.yaml:11',
    ],
  ],
  [
    'comes by a label and by another selector, of which neither would do',
    fleet(setText(NOW_CLOSED), ['ber', 'status: new']),
    fleet(setText(OPEN), BER),
    [
      MATCHES,
      'Repository ber: status: new → open fleet/ber.yaml:7',
      'repositorySelector.matchLabels.status: closed → open fleet/set.yaml:11',
    ],
  ],
  [
    'comes by a new entry',
    fleet(setText(OPEN), SOUTHERN),
    fleet(setText(OPEN, SOUTH), SOUTHERN),
    ['spec.targets[1].repositorySelector matches its Repository: region=south fleet/set.yaml:12'],
  ],
  [
    'goes with its entry',
    fleet(setText(OPEN, SOUTH), SOUTHERN),
    fleet(setText(OPEN), SOUTHERN),
    [
      'spec.targets[0].repositorySelector leaves it out: status=open does not hold for status=closed fleet/set.yaml:9',
      'spec.targets[1].repositorySelector is gone fleet/set.yaml:12',
    ],
  ],
  ['goes with its set', fleet(setText(OPEN), BER), NO_SET, ['set web is not in the folder any more fleet/set.yaml:4']],
  ['comes with its set', NO_SET, fleet(setText(OPEN), BER), [MATCHES]],
])('a target that %s has the lines that changed as its causes', (_, before, after, expected) => {
  expect(causesOf(before, after)).toEqual(expected)
})

/** Returns the text of a set that lists repositories, each with lines of its own. */
const listing = (...entries: readonly string[]) => setText(['  - repositories:', ...entries].join('\n'))
const NAMED = (...names: readonly string[]) =>
  ['    - name: ber', '      packageNames:', ...names.map((name) => `      - ${name}`)].join('\n')
const BOTH = listing('    - name: ber', '    - name: ham')
const HAM = ['ham', 'status: open'] as const

test.each<[string, string, string, readonly string[]]>([
  ['is listed', listing('    - name: ber'), BOTH, ['spec.targets[0].repositories lists it fleet/set.yaml:11']],
  ['is listed no more', BOTH, listing('    - name: ber'), ['no target of the set asks for it any more fleet/set.yaml:11']],
  [
    'has another package',
    listing(NAMED('a')),
    listing(NAMED('a', 'b')),
    ['spec.targets[0].repositories lists it fleet/set.yaml:13', 'spec.targets[0].repositories[0].packageNames[1]: b fleet/set.yaml:13'],
  ],
  [
    'has one package less',
    listing(NAMED('a', 'b')),
    listing(NAMED('a')),
    ['no target of the set asks for it any more fleet/set.yaml:13', 'spec.targets[0].repositories[0].packageNames[1]: b fleet/set.yaml:13'],
  ],
])('a repository that %s has its line in the list as its cause', (_, before, after, expected) => {
  expect(causesOf(fleet(before, BER, HAM), fleet(after, BER, HAM))).toEqual(expected)
})

test('a variant without a set has its own line', () => {
  const own = { ...UPSTREAM_ALONE, 'fleet/own.yaml': variantText('own', 'edge/own') }
  expect(causesOf(UPSTREAM_ALONE, own)).toEqual(['PackageVariant own is new fleet/own.yaml:1'])
  expect(causesOf(own, UPSTREAM_ALONE)).toEqual([expect.stringMatching(/ fleet\/own\.yaml:\d+$/)])
})

test('of two sets in the fleet the one with the target is asked', () => {
  const other = setText(SOUTH).replace('name: web', 'name: other')
  const files = (label: string) => ({ ...fleet(setText(OPEN), ['ber', label, 'region: east']), 'fleet/other.yaml': other })
  expect(causesOf(files('status: closed'), files('status: open'))).toEqual([
    MATCHES,
    'Repository ber: status: closed → open fleet/ber.yaml:7',
  ])
})
