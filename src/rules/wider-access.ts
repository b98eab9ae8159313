import type { DangerRecords } from './danger-record.ts'

/** Changes after which people, pods or images may do more than before. */
export const WIDER_ACCESS_RECORDS = {
  'wider-access': {
    when: 'a role gets `*`, secrets, `pods/exec`, `pods/attach`, `serviceaccounts/token`, `nodes/proxy`, the verbs escalate or bind of roles, or impersonate, that no rule covered, verb by verb and resource by resource; the ClusterRole cluster-admin gets a subject; everybody (`system:authenticated`, `system:unauthenticated`, `system:anonymous`, `system:serviceaccounts`) gets a role that Kubernetes itself does not give to everybody',
    source: '[RBAC good practices](https://kubernetes.io/docs/concepts/security/rbac-good-practices/)',
    dangerous: [
      [
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [get]}]}',
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [apps], resources: ["*"], verbs: [get]}]}',
      ],
      [
        '',
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [""], resources: [pods/exec], verbs: [create]}]}',
      ],
      [
        '',
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [rbac.authorization.k8s.io], resources: [roles], verbs: [escalate]}]}',
      ],
      [
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}]}',
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [""], resources: [secrets], verbs: [get, list]}]}',
      ],
      [
        '{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, roleRef: {kind: ClusterRole, name: view}, subjects: []}',
        '{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: Group, name: "system:unauthenticated"}]}',
      ],
    ],
    safe: [
      [
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [apps], resources: ["*"], verbs: ["*"]}]}',
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [apps], resources: ["*"], verbs: [get]}]}',
      ],
      [
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [""], resources: [secrets], verbs: [get, list]}]}',
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [""], resources: [secrets, pods], verbs: [get]}]}',
      ],
      [
        '{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, roleRef: {kind: ClusterRole, name: view}, subjects: []}',
        '{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: ada}]}',
      ],
      [
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}, {apiGroups: [""], resources: [secrets], verbs: [list]}]}',
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [""], resources: [secrets], verbs: [get, list]}]}',
      ],
      [
        '',
        '{kind: RoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, roleRef: {kind: Role, name: cluster-admin}, subjects: [{kind: User, name: ada}]}',
      ],
      [
        '',
        '{kind: Role, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, rules: [{apiGroups: [example.com], resources: [widgets], verbs: [bind]}]}',
      ],
    ],
  },
  privileged: {
    when: 'a container becomes privileged',
    source: '[Pod Security Standards, baseline](https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline)',
    dangerous: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1", securityContext: {privileged: true}}]}}}}',
      ],
    ],
    safe: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1", securityContext: {privileged: true}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:2", securityContext: {privileged: true}}]}}}}',
      ],
    ],
  },
  'host-path': {
    when: 'a pod gets a volume with `hostPath` of a folder that is not in one that it had',
    source: 'the same',
    dangerous: [
      [
        '',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {volumes: [{name: v, hostPath: {path: /}}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {volumes: [{name: v, hostPath: {path: /var/log}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {volumes: [{name: v, hostPath: {path: /var}}]}}}}',
      ],
    ],
    safe: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {volumes: [{name: v, hostPath: {path: /var}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {volumes: [{name: w, hostPath: {path: /var/log}}]}}}}',
      ],
      ['', '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {volumes: [{name: v, emptyDir: {}}]}}}}'],
    ],
  },
  'host-namespace': {
    when: 'a pod gets `hostNetwork`, `hostPID` or `hostIPC`',
    source: 'the same',
    dangerous: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {hostNetwork: false}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {hostNetwork: true}}}}',
      ],
    ],
    safe: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {hostNetwork: true}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {hostNetwork: true, a: 1}}}}',
      ],
    ],
  },
  'floating-image': {
    when: 'a container gets an image without a tag, or with `latest`, and without a digest',
    source: '[Images](https://kubernetes.io/docs/concepts/containers/images/#image-names): avoid `latest` in production',
    dangerous: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "registry:5000/a"}]}}}}',
      ],
    ],
    safe: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "registry:5000/a:2"}]}}}}',
      ],
      [
        '',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a@sha256:0123"}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: a}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: a, args: [b]}]}}}}',
      ],
    ],
  },
  'weaker-pod': {
    when: 'a pod or container gets a capability beyond the baseline, a hostPort, procMount, no seccomp or AppArmor, an unsafe sysctl, the user 0 or privilege escalation; or loses `runAsNonRoot: true`, its seccomp profile, `drop: [ALL]` or `allowPrivilegeEscalation: false`',
    source: '[Pod Security Standards](https://kubernetes.io/docs/concepts/security/pod-security-standards/), baseline and restricted',
    dangerous: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {allowPrivilegeEscalation: false}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {capabilities: {add: [SYS_ADMIN]}}}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, ports: [{containerPort: 80, hostPort: 80}]}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {seccompProfile: {type: Unconfined}}}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {procMount: Unmasked}}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {runAsNonRoot: true}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {capabilities: {drop: [ALL]}}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
      ],
    ],
    safe: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, image: "a:1"}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {capabilities: {add: [NET_BIND_SERVICE], drop: [ALL]}}}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {runAsUser: 0}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {runAsUser: 0, runAsGroup: 1}}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, securityContext: {runAsNonRoot: true}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {securityContext: {runAsNonRoot: true}, containers: [{name: main}]}}}}',
      ],
    ],
  },
  'weaker-pod-security': {
    when: 'the label `pod-security.kubernetes.io/enforce` of a Namespace gets a weaker level, or is removed',
    source: '[Pod Security Admission](https://kubernetes.io/docs/concepts/security/pod-security-admission/)',
    dangerous: [
      [
        '{kind: Namespace, apiVersion: v1, metadata: {name: a, labels: {pod-security.kubernetes.io/enforce: restricted}}}',
        '{kind: Namespace, apiVersion: v1, metadata: {name: a, labels: {pod-security.kubernetes.io/enforce: baseline}}}',
      ],
      [
        '{kind: Namespace, apiVersion: v1, metadata: {name: a, labels: {pod-security.kubernetes.io/enforce: baseline}}}',
        '{kind: Namespace, apiVersion: v1, metadata: {name: a}}',
      ],
    ],
    safe: [
      [
        '{kind: Namespace, apiVersion: v1, metadata: {name: a, labels: {pod-security.kubernetes.io/enforce: baseline}}}',
        '{kind: Namespace, apiVersion: v1, metadata: {name: a, labels: {pod-security.kubernetes.io/enforce: restricted}}}',
      ],
      [
        '{kind: Namespace, apiVersion: v1, metadata: {name: a, labels: {pod-security.kubernetes.io/enforce: privileged}}}',
        '{kind: Namespace, apiVersion: v1, metadata: {name: a}}',
      ],
    ],
  },
  'guard-removed': {
    when: 'a NetworkPolicy, ValidatingAdmissionPolicy, its binding, a ValidatingWebhookConfiguration or an APIService is deleted; a NetworkPolicy no longer governs a way, selects fewer pods, or gets a rule that lets everybody through; a binding no longer denies; a policy or webhook passes what it cannot judge, or is gone; an APIService skips TLS; a host of an Ingress loses its TLS',
    source:
      '[Network policies](https://kubernetes.io/docs/concepts/services-networking/network-policies/), [Validating admission policy](https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/), [Ingress](https://kubernetes.io/docs/concepts/services-networking/ingress/#tls)',
    dangerous: [
      ['{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {}}', ''],
      [
        '{kind: ValidatingAdmissionPolicyBinding, apiVersion: admissionregistration.k8s.io/v1, metadata: {name: a}, spec: {validationActions: [Deny]}}',
        '{kind: ValidatingAdmissionPolicyBinding, apiVersion: admissionregistration.k8s.io/v1, metadata: {name: a}, spec: {validationActions: [Audit]}}',
      ],
      [
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {policyTypes: [Ingress, Egress]}}',
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {policyTypes: [Ingress]}}',
      ],
      [
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {podSelector: {}}}',
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {podSelector: {matchLabels: {app: a}}}}',
      ],
      [
        '{kind: ValidatingWebhookConfiguration, apiVersion: admissionregistration.k8s.io/v1, metadata: {name: a}, webhooks: [{name: w, failurePolicy: Fail}]}',
        '{kind: ValidatingWebhookConfiguration, apiVersion: admissionregistration.k8s.io/v1, metadata: {name: a}, webhooks: [{name: w, failurePolicy: Ignore}]}',
      ],
      [
        '{kind: Ingress, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {tls: [{}]}}',
        '{kind: Ingress, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {}}',
      ],
      [
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {ingress: []}}',
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {ingress: [{}]}}',
      ],
      [
        '{kind: APIService, apiVersion: apiregistration.k8s.io/v1, metadata: {name: a}, spec: {}}',
        '{kind: APIService, apiVersion: apiregistration.k8s.io/v1, metadata: {name: a}, spec: {insecureSkipTLSVerify: true}}',
      ],
    ],
    safe: [
      [
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {ingress: [{from: [{podSelector: {}}]}]}}',
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {ingress: [{from: [{namespaceSelector: {}}]}]}}',
      ],
      ['{kind: NetworkPolicy, apiVersion: example.com/v1, metadata: {name: a}, spec: {}}', ''],
      [
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {policyTypes: [Ingress]}}',
        '{kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {policyTypes: [Ingress, Egress]}}',
      ],
      [
        '{kind: Ingress, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {rules: [{host: a}], tls: [{hosts: [a, b]}]}}',
        '{kind: Ingress, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {rules: [{host: a}], tls: [{hosts: [a]}]}}',
      ],
      [
        '{kind: ValidatingAdmissionPolicyBinding, apiVersion: admissionregistration.k8s.io/v1, metadata: {name: a}, spec: {validationActions: [Audit]}}',
        '{kind: ValidatingAdmissionPolicyBinding, apiVersion: admissionregistration.k8s.io/v1, metadata: {name: a}, spec: {validationActions: [Deny]}}',
      ],
    ],
  },
} as const satisfies DangerRecords
