// The rules of our own kinds that a JSON Schema does not have and a CustomResourceDefinition does, by kind and path: CEL for an API server,
// which refuses a rule that may cost too much (comparing names of a list without a limit, for example).
// The decoders in src/kinds report the same faults, with better messages. `npm run api` tests each rule with a real API server.

const UPSTREAM = {
  rule: 'has(self.packageRevisionSet) ? !(has(self.repo) || has(self.package) || has(self.revision) || has(self.workspaceName)) : has(self.repo) && has(self.package)',
  message: "must have 'repo' and 'package', or 'packageRevisionSet' alone",
}
const CRITERIA = {
  rule: '(has(self.repositories) ? 1 : 0) + (has(self.repositorySelector) ? 1 : 0) + (has(self.objectSelector) ? 1 : 0) == 1',
  message: "must have exactly one of 'repositories', 'repositorySelector', 'objectSelector'",
}
const OBJECT_NAME = { rule: 'has(self.name) != has(self.nameExpr)', message: "must have 'name' or 'nameExpr', and not both" }
const LAST_RING = {
  rule: 'self.all(ring, has(ring.where)) || (self.exists_one(ring, !has(ring.where)) && !has(self[size(self) - 1].where))',
  message: "only the last ring may be without 'where': it would have every target and leave none to the rings after it",
}
/** Names must be unique in these lists. */
const BY_NAME = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }

/** @type {Readonly<Record<string, Readonly<Record<string, object>>>>} */
export const CRD_RULES = {
  PackageVariantMatrix: {
    'spec.upstreams[]': { 'x-kubernetes-validations': [UPSTREAM] },
    'spec.targets[]': { 'x-kubernetes-validations': [CRITERIA] },
    'spec.exclude[]': { 'x-kubernetes-validations': [CRITERIA] },
    'spec.inputs': BY_NAME,
    'spec.inputs[].object': { 'x-kubernetes-validations': [OBJECT_NAME] },
    'spec.overrides': BY_NAME,
    'spec.rings': { ...BY_NAME, 'x-kubernetes-validations': [LAST_RING] },
  },
  PackageRevisionSet: { 'spec.upstreams[]': { 'x-kubernetes-validations': [UPSTREAM] } },
  FleetPolicy: { 'spec.variables': BY_NAME },
}
