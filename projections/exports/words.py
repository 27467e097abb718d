"""What the words of closed lists are called in the two languages of an export."""

from __future__ import annotations

from ledger.events import ALLOWANCE_REASONS
from projections.exports.asked import Language

OPENING = {"en": "Opening balance", "zh": "期初余额"}
TOTAL = {"en": "Total", "zh": "合计"}
WORDS = {
    # kinds of entries
    "settlement": "牌局结算",
    "reversal": "冲销",
    "correction": "更正",
    "allowance": "上下分",
    "opening": "期初",
    "closing": "清零",
    # how a match stands, and how it ended
    "running": "进行中",
    "played": "打完",
    "dissolved": "解散",
    "closed": "提前结束",
    # who agreed to a dissolution
    "agreed": "同意",
    "refused": "拒绝",
    "silent": "未表态",
    # acts of officers
    "club_founded": "创建俱乐部",
    "key_issued": "发放密钥",
    "key_revoked": "吊销密钥",
    "limits_set": "设置限制",
    "deadlines_set": "设置期限",
    "member_joined": "会员加入",
    "member_limits_set": "设置会员限制",
    "member_barred": "禁玩",
    "member_readmitted": "解除禁玩",
    "member_left": "会员退出",
    "member_returned": "会员回归",
    "member_grouped": "会员分组",
    "member_forgotten": "遗忘会员",
    "invited": "邀请",
    "invitation_accepted": "接受邀请",
    "invitation_revoked": "撤回邀请",
    "roles_changed": "变更角色",
    "link_issued": "发放一次性链接",
    "person_forgotten": "遗忘用户",
    "hand_entered": "录入牌局",
    "hand_voided": "牌局作废",
    "seats_changed": "换座换人",
    "dissolution_voted": "解散投票",
    "table_closed": "牌桌结束",
    "table_ticked": "牌桌对账",
    "hand_reversed": "冲销牌局",
    "hand_corrected": "更正牌局",
    "allowance_requested": "申请上下分",
    "allowance_approved": "批准上下分",
    "allowance_refused": "拒绝上下分",
    "allowance_reversed": "撤销上下分",
    "dispute_filed": "提出争议",
    "dispute_answered": "答复争议",
    "decision_proposed": "提议裁决",
    "dispute_decided": "裁决争议",
    "dispute_appealed": "申诉",
    "dispute_withdrawn": "撤回争议",
    "period_closed": "结账",
    "period_reopened": "重开账期",
    "balance_confirmed": "确认余额",
    "balance_contested": "对余额有异议",
    # roles
    "owner": "圈主",
    "manager": "管理员",
    "referee": "裁判",
    "treasurer": "积分管理员",
    "accountant": "会计",
    "auditor": "审计",
    "recorder": "记录端",
    "member": "成员",
    "operator": "运维",
    "worker": "结算程序",
    # what may be said of a pair
    "unusual": "异常",
    "usual": "正常",
    "not_enough_data": "数据不足",
    "yes": "是",
    "no": "否",
}


def word(name: str, language: Language) -> str:
    """What a word is called; English ones are the words themselves."""
    return WORDS.get(name, name) if language == "zh" else name


def reason_name(reason: str, language: Language) -> str:
    """What the reason of an allowance is called."""
    return ALLOWANCE_REASONS[reason][LANGUAGE_PLACE[language]]


LANGUAGE_PLACE: dict[Language, int] = {"en": 0, "zh": 1}
"""Where a name in English and Chinese has the one of a language."""
