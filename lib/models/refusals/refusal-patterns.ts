import type { Quirks } from '../request-quirks.ts';

/*
 * What refusals say. Most servers leave no other sign than their sentence; this is the one place where sentences are
 * matched, and all that a match can do is to write the next request differently.
 */

/** A parameter that only the sentence names. */
export const PARAM_PATTERNS = [
  // Unknown name "strict" …; Unrecognized request argument supplied: parallel_tool_calls
  /\b(?:parameters?|arguments?|name|fields?|property|keyword)(?: supplied| not (?:permitted|supported|allowed))?(?::\s*['"`]?|\s['"`])([a-z_][\w.[\]]*)/gi,
  // 'max_tokens' is not supported …; `temperature` does not support 0.2
  /['"`]([a-z_][\w.[\]]*)['"`]:? (?:(?:is|are|does|do) )?(?:not |un|deprecated)/gi,
];

/** Of `code` or message: a parameter, or its value, is not taken. */
export const UNSUPPORTED =
  /unsupported|not supported|n['o]t support|unrecognized|unknown_?\s?(parameter|field|argument|name)|unexpected (keyword|field|parameter)|extra_forbidden|extra inputs|not permitted|not allowed|is deprecated/i;

/** The parameter is known, this value of it is not. */
export const OTHER_VALUE = /unsupported value|supported values|(does not|n't) support ['"`]/i;

/** Of a value: others would be taken. */
export const IN_RANGE =
  /must be (at (most|least)|between|in( the)? range|less|greater|smaller|larger|lower|higher|one of|[<>≤≥])|out of range|in the range|(above|exceeds|below)( the)? (maximum|minimum)/i;

/** No value but the one that need not be sent. */
export const ONLY_DEFAULT = /only (the )?default|default value (is|only)/i;

const TOO_LONG_CODES = /^(context_length_exceeded|exceed_context_size_error|context_window_exceeded)$/;

const TOO_LONG =
  /(maximum|available|model'?s|exceeds?( the)?) (context|prompt|input) (length|size|window|token)|context (length|window|size) (exceeded|of only)|context length exceeded|prompt is too long|too large for model|input token count|exceeds the context|exceed_context_size|maximum number of tokens allowed|inputs. tokens \+ /i;

/** Whether a refusal speaks of a request that is longer than the model reads. */
export function saysTooLong({ code, message }: { code: string; message: string }): boolean {
  return TOO_LONG_CODES.test(code) || TOO_LONG.test(message);
}

/** The window in it; digits may have commas. */
export const WINDOW: readonly RegExp[] = [
  /maximum (?:context|prompt) length (?:is|of) ([\d,]+)/i,
  /(?<![\d,])([\d,]+) (?:tokens? )?maximum context length/i,
  /> ([\d,]+) maximum/i,
  /maximum number of tokens allowed \(?([\d,]+)/i,
  /context length of only ([\d,]+)/i,
  /available context size \(?([\d,]+)/i,
  /must be <= ([\d,]+)/i,
];

export const NO_TOOLS =
  /does ?n[o']t support (tools?|function)|(tools?|tool use|(tool|function) calling|functions)['"`]? (is|are) not (supported|available)|support tool use|tools param requires|tool choice requires/i;

export const NO_IMAGES =
  /(images?|image_url|image input|vision|multi-?modal)[^.]{0,60}(not|n't|only) (be )?(support|accept|allow|available)|(not|n't) (support|accept|a multi-?modal)[^.]{0,40}(image|vision|multi-?modal|model)|support image input|unknown variant .image_url|invalid content type|content.{0,20}must be a string/i;

/** Of code and message: one of the pictures is at fault, not the model. */
export const BAD_IMAGE =
  /(invalid|valid|unsupported|corrupt\w{0,20}|damaged|provided)[_ ]image|image_parse|image (data|formats?|types?|files?|dimensions?|sizes?|urls?|exceeds|is (too|invalid|corrupt|not valid)|does not match)\b|(process|decode|load|parse|read|identify|download|fetch)\w{0,12} (the |an? |your |this |input |provided )*image/i;

/** Of code and message: a thought that was sent back is at fault. */
export const BAD_THOUGHT =
  /encrypted.?content|item.{0,100}(not found|not persisted)|reasoning.{0,100}without its required|input\[\d+\].{0,40}reasoning/i;

/** No such address, whatever model is asked for: the server does not have the API that was chosen. */
export const NO_ENDPOINT =
  /not found|unknown (request )?url|invalid url|cannot post|unexpected endpoint|no (such )?(route|endpoint|handler)\b/i;

/** The refusal speaks of pictures in some way. */
export const ABOUT_IMAGES = /image|picture|vision|multi-?modal/i;

/** Sentences that ask for a switch of the quirks table. */
export const DEMANDS: readonly { words: RegExp; quirks: Quirks }[] = [
  {
    words: /reasoning_content.{0,80}(must be passed|is missing|is required|must be provided)/i,
    quirks: { allReasoning: true, noReasoning: false },
  },
  {
    words:
      /(property|field|input|unrecognized|unknown|extra)\b.{0,40}reasoning(_content|_text|_details)?\b.{0,20}(unsupported|not permitted|not supported)/i,
    quirks: { noReasoning: true, allReasoning: false },
  },
  { words: /reasoning\.summary|reasoning summar/i, quirks: { noSummaries: true } },
  { words: /(length of|exactly) 9\b/i, quirks: { nineCharIds: true } },
  {
    words: /tool_?(calls?|use)\b.{0,40}id.{0,60}(too long|maximum length|match pattern)/i,
    quirks: { shortIds: true },
  },
  { words: /unexpected role 'user' after role 'tool'/i, quirks: { bridgeAfterTool: true } },
  {
    words:
      /system (role|messages?) (is |are )?not supported|does not support 'system'|unexpected role 'system'/i,
    quirks: { systemAsUser: true },
  },
  {
    words: /content type: <nil>|content.{0,30}(may not be|must not be|cannot be|can't be|got) (null|none)/i,
    quirks: { textWithCalls: true },
  },
  {
    words: /unknown name .{0,3}(additionalProperties|\$\w+|const|oneOf|allOf|patternProperties|definitions)/i,
    quirks: { geminiSchemas: true },
  },
];
