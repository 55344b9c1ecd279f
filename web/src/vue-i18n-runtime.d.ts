// The runtime build has the same types as the package; it only leaves the message compiler out.
declare module 'vue-i18n/dist/vue-i18n.runtime.mjs' {
  export * from 'vue-i18n';
}
