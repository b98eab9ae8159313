import { mergePackages } from '../src/merge/merge-packages.ts'
import { packageOfTexts } from '../testdata/package-of-texts.ts'
import { timed } from '../testdata/processor-time.ts'
import type { Bench, Row } from './bench.ts'

type Shape = (count: number, value: (index: number) => string) => Readonly<Record<string, string>>

const object = (kind: string, rest: string) =>
  `apiVersion: ${kind === 'Deployment' ? 'apps/v1' : 'v1'}\nkind: ${kind}\nmetadata:\n  name: merged\n${rest}`
const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, index) => line(index)).join('')

/** The shapes of large updates. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'keys of a map': (count, value) => ({
    'a.yaml': object('ConfigMap', `data:\n${lines(count, (n) => `  # about ${n}\n  k${n}: ${value(n)} # of ${n}\n`)}`),
  }),
  'entries of a list with keys': (count, value) => ({
    'a.yaml': object(
      'Deployment',
      `spec:\n  template:\n    spec:\n      containers:\n      - name: one\n        env:\n${lines(count, (n) => `        - name: E${n}\n          value: ${value(n)}\n`)}`,
    ),
  }),
  'entries of any other list': (count, value) => ({ 'a.yaml': object('ConfigMap', `list:\n${lines(count, (n) => `- ${value(n)}\n`)}`) }),
  'documents of a file': (count, value) => ({
    'a.yaml': lines(count, (n) => `---\n${object('ConfigMap', `data:\n  a: ${value(n)}\n`).replace('merged', `merged-${n}`)}`),
  }),
  files: (count, value) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n % 7}/${n}.yaml`, object('ConfigMap', `data:\n  a: ${value(n)}\n`)])),
}

const RUNS = 3

/** Not whole processes: an update in which upstream changed every second thing and the downstream every third, and ten times as large a one. */
export function merges({ quick }: Bench): readonly Row[] {
  if (quick) return []
  return Object.entries(SHAPES).map(([what, shape]) => {
    const [few, many] = [seconds(shape, 2000), seconds(shape, 20_000)]
    return {
      what: `update of 20000 ${what}`,
      ours: { seconds: many },
      baseline: { what: '10 x 2000', seconds: few * 10 },
      must: '1.2 x baseline',
      met: many <= few * 12,
    }
  })
}

/** Of the processor, the least of some runs. */
function seconds(shape: Shape, count: number): number {
  const sides = {
    base: packageOfTexts(shape(count, () => 'one')),
    theirs: packageOfTexts(shape(count, (n) => (n % 2 === 0 ? 'theirs' : 'one'))),
    ours: packageOfTexts(shape(count, (n) => (n % 3 === 0 ? 'mine' : 'one'))),
  }
  const times = Array.from({ length: RUNS }, () => timed(() => mergePackages({ ...sides, strategy: 'resource-merge' })).time)
  return Math.min(...times) / 1e6
}
