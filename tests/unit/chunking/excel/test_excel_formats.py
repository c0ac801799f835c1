"""Displayed values, worked out by hand from what Excel shows."""

import pytest
from kisoku.adapters.chunking.excel.formats import display_number, display_text


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (1234567.891, "#,##0", "1,234,568"),
        (999, "#,##0", "999"),
        (1234567, '#,##0,"千円"', "1,235千円"),
        (-5, "#,##0;[Red]-#,##0", "-5"),
        (-5, "0.0", "-5.0"),
        (-5, "0;(0)", "(5)"),
        (0, '0;-0;"なし"', "なし"),
        (-0.001, "0.0", "0.0"),
        (10.52, "0.000", "10.520"),
        (10.5, "0.##", "10.5"),
        (10, "0.##", "10."),
        (0.5, "#.0", ".5"),
        (2.5, "0", "3"),
        (0.2846, "0.0%", "28.5%"),
        (2.16666, "0.0_ ", "2.2"),
        (1.5, '"第"0.00"版"', "第1.50版"),
        (10.52, '"£"#,##0.00', "£10.52"),
        (1500, "[$¥-411]#,##0", "¥1,500"),
        (4, r"\1\.0#", "1.04"),
        (901234567, "000-0000-0000", "009-0123-4567"),
        (1580001, "000-0000", "158-0001"),
        (0.75, "# ?/?", "3/4"),
        (2.125, "# ?/8", "2 1/8"),
        (3, "# ?/?", "3"),
        (12345, "0.00E+00", "1.23E+04"),
        (0.00012, "0.0E+0", "1.2E-4"),
        (150, '[>=100]"多";"少"', "多"),
        (50, '[>=100]"多";"少"', "少"),
        (5, '0"件"', "5件"),
        (0.1 + 0.2, "General", "0.3"),
        (3.14159265358979, "General", "3.141592654"),
        (1234567890123, "General", "1234567890123"),
        (5, "GENERAL", "5"),
        (5, "@", "5"),
    ],
)
def test_numbers(value: float, code: str, shown: str) -> None:
    assert display_number(value, code) == shown


@pytest.mark.parametrize(
    ("serial", "code", "shown"),
    [
        (39045, "yyyy/mm/dd", "2006/11/24"),
        (39045, "d/m/yy;@", "24/11/06"),
        (39045, "mmm d, yyyy", "Nov 24, 2006"),
        (39045, "dddd", "Friday"),
        (39045, 'yyyy"年"m"月"d"日"(aaa)', "2006年11月24日(金)"),
        (39045, '[$-411]ggge"年"m"月"d"日"', "平成18年11月24日"),
        (39045, "[$-411]ge.m.d", "H18.11.24"),
        (43585, 'ggge"年"', "平成31年"),
        (43586, 'ggge"年"', "令和1年"),
        (39045.75, "h:mm AM/PM", "6:00 PM"),
        (39045.75, "[$-411]AM/PM h:mm", "午後 6:00"),
        (39045.75, "h:mm a/p", "6:00 p"),
        (39045.5, "yyyy/m/d h:mm:ss", "2006/11/24 12:00:00"),
        (0.5 + 0.123 / 86400, "hh:mm:ss.000", "12:00:00.123"),
        (0.170208438, "h:m:s.00", "4:5:6.01"),
        (0.170208438, "h:mm:ss", "4:05:06"),
        (1.25, "[h]:mm", "30:00"),
        (0.0625, "mm:ss", "30:00"),
        (1, "yyyy/m/d", "1900/1/1"),
        (61, "yyyy/m/d", "1900/3/1"),
        (-1, "yyyy/m/d", "-1"),
    ],
)
def test_dates(serial: float, code: str, shown: str) -> None:
    assert display_number(serial, code) == shown


def test_dates_of_old_macs_count_from_1904() -> None:
    assert display_number(37583, "yyyy/m/d", date1904=True) == "2006/11/24"


def test_text_formats_wrap_texts_and_leave_numbers_formats_alone() -> None:
    assert display_text("山田", '@"様"') == "山田様"
    assert display_text("山田", '0;-0;0;"氏名："@') == "氏名：山田"
    assert display_text("山田", "#,##0") == "山田"
