/** Texts with a meaning for a terminal, a log of GitHub Actions or a reader of Markdown, some with lines of their own. */
export const HOSTILE =
  'x\u001b[31m\u0007\u009b2J\u202e\u200b\u2066\ufeff\u00ad\u{e0041}\n::error file=a::FORGED\n  ::warning::FORGED\n##[error]FORGED\nFORGED.yaml:1:1: error: fine\r\tend'

/** The same for Markdown: mentions, links, HTML, and the ends of what may be around it. */
export const MARKUP =
  '@evil/team #12 o/r#3 GH-4 https://e.vil/x www.e.vil 0123456789abcdef [a](//e.vil) ![i](//e.vil) <img src=x> &lt; ``` ` | ~~s~~'

/** A text as a double-quoted scalar of YAML, in ASCII. */
function quoted(text: string): string {
  const escaped = Array.from(text, (character) => {
    const point = character.codePointAt(0) ?? 0
    if (character === '"' || character === '\\') return `\\${character}`
    return point >= 0x20 && point < 0x7f ? character : `\\U${point.toString(16).padStart(8, '0')}`
  })
  return `"${escaped.join('')}"`
}

type Files = Readonly<Record<string, string>>

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n'

function store(name: string, text: string): string {
  return `apiVersion: example.com/v1
kind: Store
metadata:
  name: ${name}
  namespace: fleet
  labels: {role: till}
  annotations: {note: ${quoted(text)}}
`
}

/** A fleet that is sound, whatever its texts say: values of the package context, of expressions, annotations, and files. */
function sound(text: string): Files {
  return {
    'set.yaml': `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: tills
  namespace: fleet
spec:
  upstream: {repo: catalog, package: upf, revision: 2}
  targets:
    - objectSelector:
        apiVersion: example.com/v1
        kind: Store
        matchLabels: {role: till}
      template:
        downstream: {repoExpr: target.name, package: upf}
        packageContext:
          data: {note: ${quoted(text)}}
        annotationExprs:
          - key: note
            valueExpr: target.annotations['note']
          - key: made
            valueExpr: ${quoted(`'a' + ${JSON.stringify(text.replaceAll(/[^ -~]/g, ' '))}`)}
`,
    [`${text.slice(0, 60).replaceAll('/', '_').replaceAll('\0', '')}.yaml`]: store('till-1', text),
    'catalog/upf@v2/Kptfile': KPTFILE,
    'catalog/upf@v2/README.md': `${text}\n::error::FORGED\n\`\`\`\n# FORGED\n`,
    'catalog/upf@v2/config.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  note: ${quoted(text)}\n`,
  }
}

/** A fleet with faults, each about a text: names, labels, kinds, revisions, fields, expressions. */
function faulty(text: string): Files {
  return {
    'set.yaml': `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: ${quoted(text)}
  namespace: fleet
spec:
  upstream: {repo: ${quoted(text)}, package: ${quoted(text)}, revision: 2, ${quoted(text)}: 1}
  targets:
    - objectSelector: {apiVersion: example.com/v1, kind: ${quoted(text)}, matchLabels: {a: ${quoted(text)}}}
      template:
        downstream: {repo: a, packageExpr: ${quoted(text)}}
    - repositories: [{name: ${quoted(text)}, packageNames: [${quoted(text)}]}]
`,
    'variant.yaml': `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: ${quoted(text)}
  namespace: fleet
  labels: {${quoted(text)}: ${quoted(text)}}
spec:
  upstream: {repo: a, package: b, revision: ${quoted(text)}}
  downstream: {repo: ${quoted(text)}, package: ${quoted(text)}}
  deletionPolicy: ${quoted(text)}
`,
    'other.yaml': `apiVersion: ${quoted(`${text}/v1`)}\nkind: ${quoted(text)}\nmetadata: {name: ${quoted(text)}}\n`,
    'store.yaml': store(quoted(text), text),
  }
}

/** Packages and pipelines by names that no one knows. */
function required(text: string): Files {
  return {
    'package.yaml': `apiVersion: packages.glasskube.dev/v1alpha1
kind: ClusterPackage
metadata: {name: ${quoted(text)}}
spec:
  packageInfo: {name: ${quoted(text)}, version: ${quoted(text)}}
`,
    Kptfile: `${KPTFILE}pipeline:
  mutators:
    - image: ${quoted(text)}
      configPath: ${quoted(text)}
`,
  }
}

/** A fleet of variants whose upstream, reason and values are in the prose of a comment. */
function mentioning(text: string): Files {
  return {
    'set.yaml': `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: tills
  namespace: fleet
spec:
  upstream: {repo: ${quoted(text)}, package: ${quoted(text)}, workspaceName: ${quoted(text)}}
  targets:
    - repositories: [{name: edge-1, packageNames: [a, b, c, d]}]
`,
    'gone.yaml': `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: by-hand
  namespace: fleet
spec:
  upstream: {repo: ${quoted(text)}, package: ${quoted(text)}, revision: 1}
  downstream: {repo: edge-2, package: a}
`,
  }
}

const FLEETS = { sound, faulty, required, mentioning }

/** One call of the tool on a fleet of hostile texts. */
export interface OutputAttack {
  readonly args: readonly string[]
  readonly fleet: keyof typeof FLEETS
  readonly markup?: true
  readonly stdin?: string
}

export function filesOf({ fleet, markup }: OutputAttack): Files {
  return FLEETS[fleet](markup === true ? MARKUP : HOSTILE)
}

const plans = ['text', 'json', 'markdown', 'html'].flatMap((format) => [
  { args: ['plan', '--format', format, 'fleet'], fleet: 'sound' } as const,
  { args: ['plan', '--format', format, 'fleet'], fleet: 'faulty' } as const,
])
const checks = ['text', 'json', 'sarif', 'github', 'junit'].flatMap((format) => [
  { args: ['check', '--format', format, 'fleet'], fleet: 'faulty' } as const,
  { args: ['check', '--format', format, 'fleet'], fleet: 'required' } as const,
])
const graphs = ['mermaid', 'dot', 'html'].map((format) => ({ args: ['graph', '--format', format, 'fleet'], fleet: 'faulty' }) as const)
const RENDER = ['render', 'fleet', '--out', 'clusters', '--dry-run', '--diff']

export const OUTPUT_ATTACKS: readonly OutputAttack[] = [
  ...plans,
  { args: ['plan', '--color', '--all', 'fleet'], fleet: 'sound' },
  { args: ['plan', '--set', HOSTILE, 'fleet'], fleet: 'sound' },
  { args: ['plan', '--format', 'markdown', 'fleet'], fleet: 'sound', markup: true },
  { args: ['plan', '--format', 'markdown', 'fleet'], fleet: 'faulty', markup: true },
  { args: ['plan', '--format', 'markdown', 'fleet'], fleet: 'mentioning', markup: true },
  { args: ['plan', '--format', 'markdown', '--all', 'fleet'], fleet: 'mentioning', markup: true },
  { args: ['plan', '--format', 'markdown', 'fleet'], fleet: 'mentioning' },
  { args: ['plan', 'fleet'], fleet: 'mentioning' },
  { args: ['graph', 'fleet'], fleet: 'mentioning' },
  { args: ['explain', 'tills-till-1-upf', 'fleet'], fleet: 'sound' },
  { args: ['explain', '--color', '--format', 'text', 'tills-till-1-upf', 'fleet'], fleet: 'sound' },
  { args: ['explain', '--format', 'json', 'tills-till-1-upf', 'fleet'], fleet: 'sound' },
  { args: ['explain', HOSTILE, 'fleet'], fleet: 'faulty' },
  { args: ['explain', 'x', 'fleet'], fleet: 'faulty' },
  { args: ['explain', '--missing', HOSTILE, 'fleet'], fleet: 'faulty' },
  { args: ['explain', '--missing', 'till-1', 'fleet'], fleet: 'sound' },
  { args: ['explain', '--behind', 'fleet'], fleet: 'faulty' },
  ...checks,
  { args: ['check', '--color', '--unsafe-fixes', 'fleet'], fleet: 'faulty' },
  ...graphs,
  { args: RENDER, fleet: 'sound' },
  { args: [...RENDER, '--color'], fleet: 'sound' },
  { args: [...RENDER, '--format', 'markdown'], fleet: 'sound' },
  { args: [...RENDER, '--format', 'markdown'], fleet: 'sound', markup: true },
  { args: [...RENDER, '--format', 'json'], fleet: 'sound' },
  { args: RENDER, fleet: 'faulty' },
  { args: ['resolve', '--dry-run', '--diff', 'fleet'], fleet: 'required' },
  { args: ['simulate', 'fleet'], fleet: 'required' },
  { args: ['cel', JSON.stringify(HOSTILE)], fleet: 'sound' },
  { args: ['cel', HOSTILE], fleet: 'sound' },
  { args: ['cel', '--target', 'till-1/upf', 'fleet'], fleet: 'sound' },
  { args: ['cel', '--target', HOSTILE, 'fleet'], fleet: 'sound' },
  { args: ['cel', '--jsonl'], fleet: 'sound', stdin: `${JSON.stringify({ expr: 'a', vars: { a: HOSTILE } })}\n` },
  { args: ['fn', 'fan-out', 'fleet'], fleet: 'sound' },
  { args: ['fn', 'fan-out', 'fleet'], fleet: 'faulty' },
  { args: ['fn', HOSTILE], fleet: 'sound' },
  { args: ['schema', HOSTILE], fleet: 'sound' },
  { args: ['schema', '--write', 'schemas', '--into', 'fleet'], fleet: 'sound' },
  { args: ['rule', HOSTILE], fleet: 'sound' },
  { args: [`--${HOSTILE}`], fleet: 'sound' },
  { args: [HOSTILE], fleet: 'sound' },
  { args: ['plan', '--format', HOSTILE, 'fleet'], fleet: 'sound' },
  { args: ['plan', `no ${HOSTILE}`], fleet: 'sound' },
]
