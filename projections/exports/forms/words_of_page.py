"""What stands on the printed statement, in the two languages of an export."""

from __future__ import annotations

from collections.abc import Mapping

from projections.exports.asked import Language

WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "statement": "Statement",
        "number": "No.",
        "days": "Days",
        "beginning": "from the beginning",
        "to": "to",
        "date": "date",
        "booked": "by the day of booking",
        "effective": "by the day from which it counts",
        "as_of": "As of",
        "opening": "Opening balance",
        "in": "In",
        "out": "Out",
        "closing": "Closing balance",
        "time": "Booked",
        "entry": "Entry",
        "kind": "Kind",
        "description": "Description",
        "balance": "Balance",
        "counts": "counts from",
        "nothing": "There are no entries in these days.",
        "log": "Ledger at",
        "head": "Head",
        "checkpoint": "Signed checkpoint",
        "signed": "by key {key} on {at} over the first {position} events of the club's log.",
        "behind": "Entries behind jrn_{position} are not covered by it yet.",
        "code": "The code holds the text of the checkpoint. Keep it: with it anybody can show "
        "later whether the log was changed, with",
        "no_checkpoint": "No checkpoint has been signed for this part of the log. The operator "
        "of the server makes one with",
    },
    "zh": {
        "statement": "对账单",
        "number": "编号",
        "days": "期间",
        "beginning": "自始",
        "to": "至",
        "date": "今",
        "booked": "按记账日期",
        "effective": "按业务日期",
        "as_of": "截至",
        "opening": "期初余额",
        "in": "收入",
        "out": "支出",
        "closing": "期末余额",
        "time": "记账时间",
        "entry": "凭证号",
        "kind": "类别",
        "description": "摘要",
        "balance": "余额",
        "counts": "业务日期",
        "nothing": "此期间没有分录。",
        "log": "账本位置",
        "head": "日志哈希",
        "checkpoint": "签名检查点",
        "signed": "由密钥 {key} 于 {at} 签发，涵盖俱乐部日志的前 {position} 个事件。",
        "behind": "jrn_{position} 之后的分录尚未涵盖。",
        "code": "二维码中是检查点全文。请妥善保存：日后任何人都可据此查验日志是否被改动，命令为",
        "no_checkpoint": "这部分日志尚无签名检查点。服务器运维人员可用以下命令签发：",
    },
}
