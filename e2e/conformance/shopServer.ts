// The official server scenarios against the sample shop over HTTP, as far as they apply: most call tools, resources and
// prompts of the suite's own example server ("fixtures"), which a shop does not have. Each that is left out is named here.
import { serveShop, startApi, temporaryFolder } from '../../demo/startedPrograms.ts';
import { required, runServer, type Revision, type Row } from './suite.ts';

/** Scenarios that apply, with the checks inside them that need a fixture. */
const applies: Record<Revision, Record<string, readonly string[]>> = {
  '2026-07-28': {
    'server-stateless': [
      'ServerRejectsUndeclaredCapability', // tool test_missing_capability
      'MissingCapabilityHttp400', // the same
      'HttpServerNoIndependentRequestsOnStream', // tool test_streaming_elicitation
      'ServerNoLogWithoutLogLevel', // tool test_logging_tool
      'ServerSendsPromptsListChangedOnSubscription', // tool test_trigger_prompt_change
      'ServerSendsToolsListChangedOnSubscription', // tool test_trigger_tool_change
    ],
    'tools-list': [],
    'server-sse-multiple-streams': [],
    'resources-list': [],
    'sep-2164-resource-not-found': [],
    'prompts-list': [],
    'dns-rebinding-protection': [],
    caching: [],
    'input-required-result-unsupported-methods': [],
    // Not scored, and a shop's business all the same.
    'http-header-validation': [],
  },
  '2025-11-25': {
    'server-initialize': [],
    ping: [],
    'tools-list': [],
    'server-sse-multiple-streams': [],
    'resources-list': [],
    'prompts-list': [],
    'dns-rebinding-protection': [],
  },
};

/** What each scenario that is left out needs, and the shop does not have. */
const excluded: Record<string, string> = {
  'completion-complete': 'prompt test_prompt_with_arguments',
  'logging-set-level': 'log notices by request, which the shop does not send',
  'tools-call-simple-text': 'tool test_simple_text',
  'tools-call-image': 'tool test_image_content',
  'tools-call-audio': 'tool test_audio_content',
  'tools-call-embedded-resource': 'tool test_embedded_resource',
  'tools-call-mixed-content': 'tool test_multiple_content_types',
  'tools-call-with-logging': 'tool test_tool_with_logging',
  'tools-call-error': 'tool test_error_handling',
  'tools-call-with-progress': 'tool test_tool_with_progress',
  'tools-call-sampling': 'tool test_sampling; the shop asks no client for a model',
  'tools-call-elicitation': 'tool test_elicitation',
  'elicitation-sep1034-defaults': 'tool test_elicitation_sep1034_defaults',
  'elicitation-sep1330-enums': 'tool test_elicitation_sep1330_enums',
  'resources-read-text': 'resource test://static-text',
  'resources-read-binary': 'resource test://static-binary',
  'resources-templates-read': 'resource test://template/123/data',
  'resources-subscribe': 'resource test://watched-resource',
  'resources-unsubscribe': 'resource test://watched-resource',
  'prompts-get-simple': 'prompt test_simple_prompt',
  'prompts-get-with-args': 'prompt test_prompt_with_arguments',
  'prompts-get-embedded-resource': 'prompt test_prompt_with_embedded_resource',
  'prompts-get-with-image': 'prompt test_prompt_with_image',
  'input-required-result-basic-elicitation': 'tool test_input_required_result_elicitation',
  'input-required-result-basic-sampling': 'tool test_input_required_result_sampling',
  'input-required-result-basic-list-roots': 'tool test_input_required_result_list_roots',
  'input-required-result-request-state': 'tool test_input_required_result_request_state',
  'input-required-result-multiple-input-requests': 'tool test_input_required_result_multiple_inputs',
  'input-required-result-multi-round': 'tool test_input_required_result_multi_round',
  'input-required-result-missing-input-response': 'tool test_input_required_result_elicitation',
  'input-required-result-non-tool-request': 'prompt test_input_required_result_prompt',
  'input-required-result-result-type': 'tool test_input_required_result_elicitation',
  'input-required-result-tampered-state': 'tool test_input_required_result_tampered_state',
  'input-required-result-capability-check': 'tool test_input_required_result_capabilities',
  'input-required-result-ignore-extra-params': 'tool test_input_required_result_elicitation',
  'input-required-result-validate-input': 'tool of the suite: without it the scenario passes by any refusal',
};

/** Scored scenarios of a revision that are neither run nor excluded: there must be none. */
export function unaccounted(revision: Revision): string[] {
  const known = new Set([...Object.keys(applies[revision]), ...Object.keys(excluded)]);
  return required(revision, 'server').scored.filter((one) => !known.has(one));
}

export function leftOut(revision: Revision): { scenario: string; needs: string }[] {
  return required(revision, 'server').scored.flatMap((scenario) => {
    const needs = excluded[scenario];
    return needs === undefined ? [] : [{ scenario, needs }];
  });
}

export async function runShop(revision: Revision): Promise<Row[]> {
  const folder = temporaryFolder();
  const api = await startApi(folder.path);
  try {
    const shop = await serveShop(api.url, folder.path);
    try {
      return await runServer(shop.url.href, revision, applies[revision]);
    } finally {
      await shop.stop();
    }
  } finally {
    await api.stop();
    folder.remove();
  }
}
