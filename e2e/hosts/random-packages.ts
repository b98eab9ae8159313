/** Returns a function that returns numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

/** Files of a package, by their paths in it. Each has another name, so that no two hold one object unless that is meant. */
type MadeFile = (id: string) => Readonly<Record<string, string>>

const configMap = (name: string, data = 'a: b') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  ${data}\n`
const local = (text: string) => text.replace('metadata:\n', 'metadata:\n  annotations: {config.kubernetes.io/local-config: "true"}\n')

/** Files that every controller applies, or leaves out, as tools on disk read them. */
const PLAIN: readonly MadeFile[] = [
  (id) => ({ [`${id}.yaml`]: configMap(id) }),
  (id) => ({ [`${id}.yml`]: configMap(id, 'odd: "on"\n  number: "1e3"\n  lines: |\n    one\n\n      two\n  empty: ""\n  dollar: "$x"') }),
  (id) => ({ [`sub/folder/${id}.yaml`]: configMap(id) }),
  (id) => ({ [`${id}.yaml`]: `# A comment alone.\n---\n${configMap(`${id}-a`)}---\n${configMap(`${id}-b`)}---\n` }),
  (id) => ({
    [`${id}.yaml`]: `apiVersion: v1\nkind: Service\nmetadata: {name: ${id}, namespace: shop}\nspec: {ports: [{port: 80, targetPort: http}], selector: {app: ${id}}}\n`,
  }),
  (id) => ({ [`${id}.yaml`]: `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${id}}\n` }),
  (id) => ({
    [`${id}.yaml`]: `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: "acme:${id}"}\nrules:\n- {apiGroups: [""], resources: [pods], verbs: [get]}\n`,
  }),
  (id) => ({
    [`${id}.yaml`]: `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${id}s.example.com}\nspec: {group: example.com, scope: Cluster, names: {kind: K${id}, plural: ${id}s}, versions: []}\n`,
  }),
  (id) => ({
    [`${id}.yaml`]: `apiVersion: v1\nkind: List\nitems:\n- ${configMap(`${id}-c`).trimEnd().replaceAll('\n', '\n  ')}\n- ${configMap(`${id}-d`).trimEnd().replaceAll('\n', '\n  ')}\n`,
  }),
  (id) => ({ [`${id}.yaml`]: local(configMap(id)) }),
  (id) => ({ [`odd {${id}}, [b].yaml`]: local(configMap(id)) }),
  (id) => ({ [`${id}.yaml`]: `${local(configMap(`${id}-e`))}---\n${configMap(`${id}-f`)}` }),
  (id) => ({ [`${id}.md`]: '# Text\n' }),
  (id) => ({
    [`${id}.yaml`]: `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${id}, annotations: {config.kubernetes.io/depends-on: "/ConfigMap/x"}}\nspec: {replicas: 3, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "a:1", resources: {limits: {cpu: 0.5}}}]}}}\n`,
  }),
]

/** Files with which Flux applies nothing of a package, or not all. */
const REFUSED: readonly MadeFile[] = [
  () => ({ 'values.yaml': 'replicas: 3\n' }),
  (id) => ({ [`sub/${id}.yaml`]: 'replicas: 3\n' }),
  (id) => ({ [`${id}-1.yaml`]: configMap(id), [`${id}-2.yaml`]: configMap(id, 'a: c') }),
  (id) => ({ [`${id}.yaml`]: `${configMap(id)}---\n${configMap(id, 'a: c')}` }),
  (id) => ({ [`${id}.yaml`]: '- a\n- b\n' }),
  () => ({ 'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n' }),
  (id) => ({ [`${id}.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {a: b}}\n' }),
]

/**
 * Returns the files of a package: mostly plain ones, some of which Flux refuses in one package of three.
 */
export function randomPackage(random: () => number): Readonly<Record<string, string>> {
  const pick = (makers: readonly MadeFile[]): MadeFile => makers[Math.floor(random() * makers.length)] ?? (() => ({}))
  const count = 1 + Math.floor(random() * 5)
  const makers = [...Array.from({ length: count }, () => pick(PLAIN)), ...(random() < 0.33 ? [pick(REFUSED)] : [])]
  return Object.assign({}, ...makers.map((make, index) => make(`f${index}`)))
}
