import { join } from 'node:path'
import { isRecord, type JsonRecord, lookup } from '../../src/json.ts'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n'

/** A fleet of one variant, with its options and upstream packages in other folders. */
export const FILES = {
  'fleet/set.yaml': `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: edge
spec:
  upstream: {repo: catalog, package: upf, revision: 1}
  targets:
    - repositories:
        - name: edge-1
`,
  'render.yaml': `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: options
spec:
  repositories:
    catalog:
      path: ../catalog
`,
  'catalog/upf@v1/Kptfile': KPTFILE,
  'catalog/upf@v1/README.md': 'one\n',
  'catalog/upf@v2/Kptfile': KPTFILE,
  'catalog/upf@v2/README.md': 'two\n',
} as const

/** Options that have the upstream in git. */
export const GIT_OPTIONS = FILES['render.yaml'].replace('path: ../catalog', 'git: {repo: ../upstream}')

/** A saved plan that was changed by an attacker. */
export interface PlanAttack {
  readonly what: string
  readonly edit: (saved: JsonRecord) => JsonRecord | string
  /** Of render beside --plan; by default --allow-outside. */
  readonly options?: readonly string[]
  /** Words of the message. */
  readonly says: readonly string[]
}

const optionsOf = (saved: JsonRecord): JsonRecord => {
  const options = lookup(saved, 'options')
  return isRecord(options) ? options : {}
}

export const HOSTILE_PLANS: readonly PlanAttack[] = [
  { what: 'a folder far away', edit: (saved) => ({ ...saved, folder: '/etc' }), says: ['outside of this folder'] },
  { what: 'a folder above', edit: (saved) => ({ ...saved, folder: '../..' }), says: ['outside of this folder'] },
  { what: 'packages that go above', edit: (saved) => ({ ...saved, packages: '../../clusters' }), says: ['outside of this folder'] },
  {
    what: 'options from elsewhere',
    edit: (saved) => ({ ...saved, options: { ...optionsOf(saved), config: '/dev/stdin' } }),
    says: ['outside of this folder'],
  },
  {
    what: 'an option that the plan was reviewed without',
    edit: (saved) => ({ ...saved, options: { ...optionsOf(saved), discardEdits: true } }),
    says: ['`--discard-edits` must be named again beside --plan'],
  },
  {
    what: 'a way out of the fleet',
    edit: (saved) => saved,
    options: [],
    says: ['`--allow-outside` must be named again beside --plan'],
  },
  {
    what: 'a move of packages that the plan was reviewed without',
    edit: (saved) => ({ ...saved, options: { ...optionsOf(saved), followRenames: true } }),
    says: ['the options of render-variants must be as they were'],
  },
  { what: 'an unknown field', edit: (saved) => ({ ...saved, hooks: ['sh'] }), says: ['`hooks` must not be in a plan'] },
  {
    what: 'a key of the prototype',
    edit: (saved) => JSON.stringify(saved).replace('"options":{', '"options":{"__proto__":{"discardEdits":true},'),
    says: ['`options.__proto__` must not be in a plan'],
  },
  {
    what: 'a path out of the folder among the files',
    edit: (saved) => ({ ...saved, files: { '../../../etc/passwd': '0'.repeat(64) } }),
    says: ['fleet/set.yaml: error: must be as it was', 'is new', 'is gone'],
  },
  { what: 'a digest that is none', edit: (saved) => ({ ...saved, files: { 'set.yaml': 1 } }), says: ['must be hexadecimal digits'] },
  {
    what: 'wrong types everywhere',
    edit: (saved) => ({ ...saved, files: [], upstreams: {}, options: null, changes: 'all', folder: 7 }),
    says: [
      '`files` must be a map',
      '`upstreams` must be a list',
      '`options` must be a map',
      '`changes` must be a list',
      '`folder` must be a string',
    ],
  },
  { what: 'a change that nobody asked for', edit: (saved) => ({ ...saved, changes: [] }), says: ['`changes` must be what the sets'] },
  {
    what: 'a name that a terminal obeys',
    edit: (saved) => ({ ...saved, '\u001b[2J\n::error::x\u202e': 1 }),
    says: ['\\u001b[2J\\n::error::x\\u202e'],
  },
  { what: 'a thousand lists in each other', edit: (saved) => ({ ...saved, changes: deep(1000) }), says: ['`changes[0]` must be a map'] },
  {
    what: 'a key that is there twice',
    edit: (saved) => JSON.stringify(saved).replace('"optionsDigest":', '"options":{"discardEdits":true},"optionsDigest":'),
    says: ['`options` must be in its map once, occurs twice'],
  },
  {
    what: 'a folder for the packages within .git',
    edit: (saved) => ({ ...saved, packages: 'fleet/.git/modules' }),
    says: ["'fleet/.git/modules' must be a folder for the packages, not within .git"],
  },
  { what: 'JSON that ends early', edit: (saved) => JSON.stringify(saved).slice(0, -9), says: ['must be a plan that plan --out saved'] },
]

function deep(levels: number): JsonRecord[string] {
  let list: JsonRecord[string] = []
  for (let i = 0; i < levels; i++) list = [list]
  return list
}

interface Tools {
  readonly root: string
  readonly put: (path: string, text: string) => void
  readonly link: (target: string, path: string) => void
  readonly hardLink: (target: string, path: string) => void
}

/** Places for a saved plan that hold something else. */
export const TAKEN_PLACES: readonly {
  readonly what: string
  readonly prepare: (tools: Tools) => void
  readonly out: string
  readonly says: string
}[] = [
  { what: 'a file of the fleet', prepare: () => {}, out: 'fleet/set.yaml', says: 'must be a new file or a saved plan' },
  { what: 'one in another spelling', prepare: () => {}, out: './fleet/../fleet//set.yaml', says: 'must be a new file or a saved plan' },
  {
    what: 'one through a link',
    prepare: ({ root, link }) => link(join(root, 'fleet/set.yaml'), join(root, 'plan.json')),
    out: 'plan.json',
    says: 'is a link',
  },
  {
    what: 'one through a hard link',
    prepare: ({ root, hardLink }) => hardLink(join(root, 'fleet/set.yaml'), join(root, 'plan.json')),
    out: 'plan.json',
    says: 'must be a new file or a saved plan',
  },
  {
    what: 'one through a link to its folder',
    prepare: ({ root, link }) => link(join(root, 'fleet'), join(root, 'out')),
    out: 'out/set.yaml',
    says: 'must be a new file or a saved plan',
  },
  { what: 'what is in .git', prepare: ({ put }) => put('.git/hooks/x', ''), out: '.git/hooks/plan.json', says: 'must not be within .git' },
]
